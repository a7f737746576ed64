import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";

type Versions = NonNullable<RunDocument["verification"]>["versions"];

const WORDS: Record<Versions[number]["state"], string> = {
  works: "works",
  untestable: "could not be tested",
  broken: "shows the bug",
  fixed: "fixed",
  unknown: "not known",
};

/** Renders the versions of a product as a line from the oldest to the newest (V5, B10). */
export function VersionLine({ versions }: { versions: Versions }): JSX.Element | null {
  if (versions.length === 0) return null;
  return (
    <ol class="version-line" aria-label="Versions, the oldest first">
      {versions.map(({ state, from }, index) => (
        <li key={index} class={`version-${state}`}>
          <span class="number">{from === null ? (index === 0 ? "earlier" : "later") : `from ${from}`}</span>
          <strong>{WORDS[state]}</strong>
        </li>
      ))}
    </ol>
  );
}
