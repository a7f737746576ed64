import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import {
  ConnectionBanner,
  FailureNotice,
  Header,
  HelpDialog,
  isHelpOpen,
  Reading,
  SignedOut,
  useKeys,
} from "./chrome/index.ts";
import { type BoardModel, goTo, noFilters, route } from "./model/index.ts";
import { BatchView } from "./batch/index.ts";
import { Duplicates } from "./duplicates/index.ts";
import { Overview } from "./overview/index.ts";
import { Plots } from "./plots/index.ts";
import { RunView } from "./run-view/index.ts";
import { Trust } from "./trust/index.ts";

/** Renders the whole page. */
export function App({ model }: { model: BoardModel }): JSX.Element {
  const waiting = model.runs.totals.value?.waiting ?? 0;
  const title = `${waiting > 0 ? `(${waiting}) ` : ""}${titleOf(model)}`;
  useEffect(() => void (document.title = `${title} · afk-triage`), [title]);
  useKeys({
    "?": () => void (isHelpOpen.value = true),
    b: () => goTo({ view: "overview", filters: noFilters }),
    p: () => goTo({ view: "plots" }),
    d: () => goTo({ view: "duplicates" }),
    t: () => goTo({ view: "trust", repo: null }),
  });
  return (
    <>
      <a class="skip-link" href="#main" onClick={toMain}>
        Skip to the content
      </a>
      <Header model={model} />
      <ConnectionBanner model={model} />
      <main id="main" tabIndex={-1}>
        <View model={model} />
      </main>
      <HelpDialog />
      <div class="visually-hidden" role="status" aria-live="polite">
        {model.announcer.text.value}
      </div>
    </>
  );
}

const TITLES = {
  overview: "Board",
  batch: "Triage Batch",
  plots: "Plots",
  duplicates: "Duplicates",
  trust: "Trust",
} as const;

function titleOf(model: BoardModel): string {
  const shown = route.value;
  if (shown.view !== "run") return TITLES[shown.view];
  const run = model.runs.get(shown.id);
  return run === undefined ? "Triage Run" : `${run.repo} #${run.number}`;
}

/** Moves the focus without following the link, which would change the part of the address that selects the view. */
function toMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}

function View({ model }: { model: BoardModel }): JSX.Element {
  const reading = model.reading.value;
  const signedOut = model.signedOut.value;
  if (signedOut !== null) return <SignedOut failure={signedOut} onRetry={() => void model.start()} />;
  const shown = route.value;
  // The run view reads its own documents and does not wait for those of the board.
  if (reading.type === "reading" && shown.view !== "run") return <Reading what="the board" />;
  if (reading.type === "failed") {
    return (
      <FailureNotice failure={reading.failure}>
        <button type="button" class="button" onClick={() => void model.start()}>
          Try again
        </button>
      </FailureNotice>
    );
  }
  switch (shown.view) {
    case "overview":
      return <Overview model={model} filters={shown.filters} />;
    case "run":
      return <RunView key={shown.id} model={model} id={shown.id} tab={shown.tab} />;
    case "batch":
      return <BatchView key={shown.runId} model={model} runId={shown.runId} other={shown.other} />;
    case "plots":
      return <Plots model={model} />;
    case "duplicates":
      return <Duplicates model={model} />;
    case "trust":
      return <Trust model={model} repo={shown.repo} />;
  }
}
