import type { JSX } from "preact";
import type { DamagedRowDocument } from "../../api/index.ts";
import { count } from "../model/index.ts";

/** The maximum number of rows that are named. */
const MAX_NAMED = 5;

/** Renders the names of the rows that cannot be read (B7). */
export function DamagedRows({ rows }: { rows: readonly DamagedRowDocument[] }): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <div class="notice tone-bad" role="alert">
      <p>
        <strong>{count(rows.length, "row")} of the store cannot be read</strong> and{" "}
        {rows.length === 1 ? "is" : "are"} left out here:
      </p>
      <ul>
        {rows.slice(0, MAX_NAMED).map(({ runId, repo, number, problem }) => (
          <li key={`${runId} ${repo} ${number} ${problem}`}>
            {nameOf({ runId, repo, number })}: {problem}
          </li>
        ))}
      </ul>
      {rows.length > MAX_NAMED ? <p>{`and ${rows.length - MAX_NAMED} more`}</p> : null}
    </div>
  );
}

function nameOf({ runId, repo, number }: Omit<DamagedRowDocument, "problem">): string {
  if (repo === null) return `Triage Batch ${runId}`;
  return number === null ? repo : `${repo} #${number} of ${runId}`;
}
