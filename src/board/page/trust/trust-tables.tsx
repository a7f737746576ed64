import type { ComponentProps, JSX } from "preact";
import type { TrustDocument } from "../../api/index.ts";
import { DataTable, ExternalLink } from "../chrome/index.ts";
import { formatDuration, formatInstant, formatRate, words } from "../model/index.ts";

/** Renders the level that each kind of outcome has earned. */
export function Earned({ earned, bar }: { earned: TrustDocument["earned"]; bar: number }): JSX.Element {
  return (
    <Card
      title="What each kind has earned"
      note={`The level that the setting “earned” means at present. It rises when the lower bound reaches ${formatRate(bar)}.`}
      emptyText="No outcome has been judged yet."
      head={["Repository", "Kind", "Level", "Accepted since the last move", "Lower bound"]}
      rows={earned.map(({ repo, kind, level, isHeld, judged, accepted, lower }) => ({
        key: `${repo} ${kind}`,
        cells: [
          repo,
          words(kind),
          isHeld ? `${level}, held by a veto` : level,
          judged === 0 ? "–" : `${accepted} of ${judged}`,
          judged === 0 ? "–" : lower.toFixed(3),
        ],
      }))}
    />
  );
}

const REASONS: Readonly<Record<string, string>> = {
  proven: "proven",
  "bad-streak": "three in a row were not accepted",
  "below-bar": "the acceptance fell below the bar",
  vetoed: "vetoed",
  released: "released",
};

/** Renders the moves of autonomy, and people's vetoes and releases. */
export function AutonomyMoves({ moves }: { moves: TrustDocument["moves"] }): JSX.Element {
  return (
    <Card
      title="Moves of autonomy"
      note="Each move is recorded in the audit log of its batch."
      emptyText="No level has changed yet."
      head={["When", "Repository", "Kind", "Move", "Why", "Record"]}
      rows={moves.map(({ repo, kind, atMs, why, from, to, judged, accepted, by, number }) => ({
        key: `${repo} ${kind} ${atMs} ${why}`,
        cells: [
          formatInstant(atMs),
          repo,
          words(kind),
          from === null || to === null ? "–" : `${from} → ${to}`,
          `${REASONS[why] ?? words(why)}${by === null ? "" : ` by ${by}`}${number === null ? "" : `, seen at #${number}`}`,
          judged === null || accepted === null ? "–" : `${accepted} of ${judged}`,
        ],
      }))}
    />
  );
}

/** Renders the outcomes that people did not accept. */
export function Overrides({ overrides }: { overrides: TrustDocument["overrides"] }): JSX.Element {
  return (
    <Card
      title="Outcomes that were not accepted"
      note="Newest first. Read these to find out what to improve."
      emptyText="Nobody has overridden or rejected an outcome yet."
      head={["Issue", "Kind", "What happened", "Instead", "By", "After"]}
      rows={overrides.map((row) => ({
        key: `${row.repo}#${row.number} ${row.atMs} ${row.how}`,
        cells: [
          <ExternalLink key="issue" url={row.issueUrl}>{`${row.repo}#${row.number}`}</ExternalLink>,
          row.kind === null ? "–" : words(row.kind),
          words(row.how),
          row.instead === "" ? "–" : row.instead,
          `${row.by} (${row.permission})`,
          formatDuration(row.afterMs),
        ],
      }))}
    />
  );
}

interface CardProps extends ComponentProps<typeof DataTable> {
  title: string;
  note: string;
  /** Shown instead of an empty table. */
  emptyText: string;
}

function Card({ title, note, emptyText, head, rows }: CardProps): JSX.Element {
  return (
    <section class="card trust-card">
      <h2>{title}</h2>
      <p class="plot-scale">{rows.length === 0 ? emptyText : note}</p>
      {rows.length === 0 ? null : (
        <div class="scrolling" role="region" aria-label={title} tabIndex={0}>
          <DataTable head={head} rows={rows} />
        </div>
      )}
    </section>
  );
}
