import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RunDocument } from "../../api/index.ts";
import { Icon } from "../chrome/index.ts";
import { replaceRoute, type RunTab, runTabs } from "../model/index.ts";

const NAMES: Record<RunTab, string> = {
  terminal: "Triage Agent",
  issue: "Issue",
  outcome: "Outcome",
  reproduction: "Reproduction",
  comment: "Comment",
  audit: "Audit trail",
  "pull-requests": "Pull requests",
  artifacts: "Artifacts",
};

/** Renders the tabs. The Triage Agent's terminal is always the first tab and is pinned (L10). */
export function Tabs({ id, tab, document }: { id: string; tab: RunTab; document: RunDocument }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  // On a phone, the tabs are wider than the window, so the selected tab is scrolled into view. The first tab is visible at first,
  // and scrolling to it would cost a layout.
  useLayoutEffect(() => {
    if (isFirst.current && tab === runTabs[0]) return;
    isFirst.current = false;
    const selected = list.current?.querySelector('[aria-selected="true"]');
    selected?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [tab]);
  const select = (next: RunTab): void => replaceRoute({ view: "run", id, tab: next });
  return (
    <div
      ref={list}
      class="tabs"
      role="tablist"
      aria-label="Triage Run"
      onKeyDown={(event) => {
        const next = neighbour(tab, event.key);
        if (next === null) return;
        event.preventDefault();
        select(next);
        window.document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
      }}
    >
      {runTabs.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === tab}
          aria-controls="panel"
          tabIndex={name === tab ? 0 : -1}
          onClick={() => select(name)}
        >
          {name === "terminal" ? <Icon name="pin" /> : null}
          {NAMES[name]}
          <TabCount number={countOf(name, document)} />
        </button>
      ))}
    </div>
  );
}

function TabCount({ number }: { number: number | null }): JSX.Element | null {
  return number === null || number === 0 ? null : <span class="tab-count">{number}</span>;
}

function countOf(tab: RunTab, document: RunDocument): number | null {
  switch (tab) {
    case "audit":
      return document.audit.entries.length;
    case "pull-requests":
      return document.pullRequests.length;
    case "artifacts":
      return document.artifacts.length;
    case "terminal":
    case "issue":
    case "outcome":
    case "reproduction":
    case "comment":
      return null;
  }
}

function neighbour(tab: RunTab, key: string): RunTab | null {
  const index = runTabs.indexOf(tab);
  switch (key) {
    case "ArrowRight":
      return runTabs[(index + 1) % runTabs.length] ?? null;
    case "ArrowLeft":
      return runTabs[(index - 1 + runTabs.length) % runTabs.length] ?? null;
    case "Home":
      return runTabs[0];
    case "End":
      return runTabs.at(-1) ?? null;
    default:
      return null;
  }
}
