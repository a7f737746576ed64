import type { JSX } from "preact";
import type { BatchTimelineDocument, RunRowDocument } from "../../api/index.ts";
import { Chip } from "../chrome/index.ts";
import { formatDuration, formatUsd, label, resultOf, routeHash, shownStatus } from "../model/index.ts";
import { changedResults, figuresOf } from "./compare-batches.ts";

type Timeline = BatchTimelineDocument;

/** Renders two batches side by side, and the issues whose result differs (B10). */
export function Comparison(props: {
  names: readonly [before: string, after: string];
  before: Timeline;
  after: Timeline;
  nowMs: number;
}): JSX.Element {
  const { names, before, after, nowMs } = props;
  const [one, other] = [figuresOf(before.runs, nowMs), figuresOf(after.runs, nowMs)];
  const results = [...new Set([...one.results.keys(), ...other.results.keys()])].sort();
  const changed = changedResults(before.runs, after.runs);
  const rows: [string, string, string][] = [
    ["Triage Runs", String(one.runs), String(other.runs)],
    ["took", formatDuration(one.tookMs), formatDuration(other.tookMs)],
    ["median Triage Run", formatDuration(one.medianRunMs), formatDuration(other.medianRunMs)],
    ["cost", formatUsd(one.usd), formatUsd(other.usd)],
    ...results.map((result): [string, string, string] => [
      label(result),
      String(one.results.get(result) ?? 0),
      String(other.results.get(result) ?? 0),
    ]),
  ];
  return (
    <section class="card comparison">
      <h2>Comparison</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Figure</span>
            </th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, first, second]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{first}</td>
              <td class="number">{second}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Issues in both batches with different results</h3>
      {changed.length === 0 ? <p class="muted">none</p> : null}
      <ul class="rows">
        {changed.map(({ issue, before: was, after: is }) => (
          <li key={issue}>
            <span class="number">{issue}</span>
            <span class="chips">
              <ResultLink run={was} /> → <ResultLink run={is} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ResultLink({ run }: { run: RunRowDocument }): JSX.Element {
  return (
    <a href={routeHash({ view: "run", id: run.id, tab: "outcome" })}>
      <Chip code={resultOf(run) ?? shownStatus(run)} />
    </a>
  );
}
