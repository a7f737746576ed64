import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RunDocument } from "../../api/index.ts";
import { Empty } from "../chrome/index.ts";
import { type BoardModel, route } from "../model/index.ts";
import { LiveTerminal } from "../terminal/index.ts";
import { ControlPanel } from "./control-panel.tsx";
import { FollowUpPanel } from "./follow-up-panel.tsx";
import { DialogPanel } from "./dialog-panel.tsx";
import { whyNoTerminal } from "./no-terminal.ts";
import { RecordedTerminal } from "./recorded-terminal.tsx";
import { StatePanel } from "./state-panel.tsx";
import type { RecordingAhead } from "./use-recording-ahead.ts";
import { type ShownState, useLiveState } from "./use-live-state.ts";

/** Renders the Triage Agent's terminal, live or recorded, next to its tracked state at the displayed time (L10). */
export function TerminalView({
  model,
  document,
  ahead,
  onFollowUpEnd,
}: {
  model: BoardModel;
  document: RunDocument;
  ahead: RecordingAhead;
  onFollowUpEnd: () => void;
}): JSX.Element {
  const { run } = document;
  const shown = route.value;
  const terminal = document.terminals.find(({ name }) => name === "triage-agent");
  const [wish, setWish] = useState<"live" | "replay">(
    shown.view === "run" && shown.tMs !== undefined ? "replay" : "live",
  );
  const [moment, setMoment] = useState<ShownState>({ state: null, reason: "" });
  const isLive = terminal?.isLive === true && wish === "live";
  const live = useLiveState(model, run.id, isLive);
  const mayAct = model.allowsControl.value;
  const canControl = mayAct && run.end === null;
  const actions = !mayAct ? null : run.end === null ? (
    <ControlPanel data={model.data} run={run} />
  ) : (
    <FollowUpPanel model={model} run={run} onEnd={onFollowUpEnd} />
  );
  if (terminal === undefined) {
    return (
      <div class={mayAct ? "with-side" : ""}>
        <Empty title="No terminal">
          <p>{whyNoTerminal(document)}</p>
        </Empty>
        {actions}
      </div>
    );
  }
  return (
    <div class="with-side">
      <div class="terminal-column reveal">
        {terminal.isLive ? <ModeSwitch wish={wish} onChange={setWish} /> : null}
        {isLive ? (
          <LiveTerminal
            key={terminal.sessionId}
            data={model.data}
            id={run.id}
            terminal="triage-agent"
            sessionId={terminal.sessionId}
            name="The Triage Agent's terminal, live"
          />
        ) : (
          <RecordedTerminal
            key={`${terminal.sessionId} ${terminal.isLive}`}
            data={model.data}
            id={run.id}
            terminal="triage-agent"
            name="The Triage Agent's terminal, recorded"
            ahead={ahead}
            onMoment={setMoment}
          />
        )}
      </div>
      <aside class="side" aria-label="Tracked state">
        {isLive && live.state?.dialog != null && run.end === null ? (
          <DialogPanel data={model.data} id={run.id} dialog={live.state.dialog} canControl={canControl} />
        ) : null}
        {isLive ? <StatePanel {...live} isNow /> : <StatePanel {...moment} />}
        {actions}
      </aside>
    </div>
  );
}

function ModeSwitch(props: {
  wish: "live" | "replay";
  onChange: (wish: "live" | "replay") => void;
}): JSX.Element {
  return (
    <div class="segments" role="group" aria-label="Show the terminal">
      {(["live", "replay"] as const).map((wish) => (
        <button
          key={wish}
          type="button"
          aria-pressed={wish === props.wish}
          onClick={() => props.onChange(wish)}
        >
          {wish === "live" ? "Live" : "So far"}
        </button>
      ))}
    </div>
  );
}
