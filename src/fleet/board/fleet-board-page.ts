import { htmlText as text } from "../../github/index.ts";
import type { MonthlyLimit } from "../spend/index.ts";
import type { RepositoryStatus, ScopedStatus } from "../status/index.ts";
import { fleetBoardDocument, type FleetBoardDocument } from "./fleet-board-document.ts";
import { FLEET_BOARD_STYLE } from "./fleet-board-style.ts";

/** The maximum number of rows. More rows would make the page slow on a phone; the JSON document has all rows. */
const MAX_ROWS = 500;
const REFRESH_SECONDS = 30;

/**
 * Returns the board over the fleet as an HTML page without scripts that reloads itself every 30 s. The style element carries
 * `nonce` for the content security policy.
 */
export function fleetBoardPage(status: ScopedStatus, nonce: string): string {
  const document = fleetBoardDocument(status);
  const rows = document.repositories.toSorted(byWork);
  const hidden = rows.length - MAX_ROWS;
  const more =
    hidden <= 0
      ? ""
      : `<p class="muted">${hidden} more repositories have less work; <a href="/api/fleet">the JSON document</a> lists all.</p>`;
  return frame(
    nonce,
    `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
    `<header><h1>Fleet</h1><p class="muted">${rows.length} ${rows.length === 1 ? "repository" : "repositories"}${document.isWhole ? "" : " that this token may see"}, ${text(document.month)}</p></header>
${tiles(document)}
<h2>Repositories</h2>
${rows.length === 0 ? "<p>No repository is followed. Install the GitHub App on a repository, or start a worker with --repo.</p>" : table(rows.slice(0, MAX_ROWS), document)}
${more}
<p class="muted">The Triage Runs themselves are on the board of <code>afk-triage serve</code>.</p>`,
  );
}

/** Returns the page that a browser without a token of this board sees. */
export function signInPage(nonce: string): string {
  return frame(
    nonce,
    "",
    `<header><h1>Fleet</h1></header>
<p>This board needs a token: open its URL with <code>?token=</code> and your token at the end. The operator of the fleet keeps the tokens in <code>AFK_TRIAGE_BOARD_TOKENS</code>.</p>`,
  );
}

function frame(nonce: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>Fleet · afk-triage</title>
<style nonce="${text(nonce)}">${FLEET_BOARD_STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function tiles({ waiting, running, oldestMs, workers, caps, spend, budget }: FleetBoardDocument): string {
  const perOwner = caps.perOwner === null ? "" : `, ${caps.perOwner} per owner`;
  const lost = spend.lost === 0 ? "" : `; ${spend.lost} of dead workers, counted at their maximum cost`;
  const all: [string, string, string][] = [
    ["Waiting", String(waiting), waiting === 0 ? "nothing is due" : `the oldest is due for ${age(oldestMs)}`],
    ["Running", String(running), `at most ${caps.perRepository} per repository${perOwner}`],
    ["Workers", String(workers), workers === 0 ? "no worker is alive" : "alive"],
    [
      "Spent this month",
      dollars(spend.usd),
      `${of(budget.fleet, spend)}${count(spend.tokens)} tokens, ${spend.runs} Triage Runs${lost}`,
    ],
  ];
  return `<dl class="tiles">${all
    .map(
      ([name, value, note]) =>
        `<div><dt>${name}</dt><dd><strong>${text(value)}</strong> ${text(note)}</dd></div>`,
    )
    .join("")}</dl>`;
}

const COLUMNS = [
  "Repository",
  "Waiting",
  "Oldest due for",
  "Running",
  "Spent",
  "Tokens",
  "Triage Runs",
] as const;

function table(rows: readonly RepositoryStatus[], { caps, budget }: FleetBoardDocument): string {
  const cells = (row: RepositoryStatus): string[] => [
    `${text(row.repository === "" ? `repository ${row.repositoryId}` : row.repository)}${row.isFollowed ? "" : ' <span class="muted">not followed</span>'}`,
    String(row.waiting),
    row.waiting === 0 ? "–" : text(age(row.oldestMs)),
    `${row.running} of ${caps.perRepository}`,
    `${text(dollars(row.usd))}${limitOf(row, budget.repository)}`,
    count(row.tokens),
    `${row.runs}${row.lost === 0 ? "" : ` <span class="muted">(${row.lost} of dead workers)</span>`}`,
  ];
  const line = (row: RepositoryStatus): string => {
    const [first = "", ...others] = cells(row);
    const rest = others
      .map((cell, index) => `<td data-label="${COLUMNS[index + 1]}"><span>${cell}</span></td>`)
      .join("");
    return `<tr${row.waiting + row.running === 0 ? ' class="idle"' : ""}><th scope="row">${first}</th>${rest}</tr>`;
  };
  return `<table><thead><tr>${COLUMNS.map((name) => `<th scope="col">${name}</th>`).join("")}</tr></thead><tbody>
${rows.map(line).join("\n")}
</tbody></table>`;
}

/** Returns the order of two repositories: those with work first, by the longest wait; then by cost, the most expensive first. */
function byWork(one: RepositoryStatus, other: RepositoryStatus): number {
  return (
    other.oldestMs - one.oldestMs ||
    other.waiting + other.running - (one.waiting + one.running) ||
    other.usd - one.usd ||
    one.repository.localeCompare(other.repository)
  );
}

function limitOf({ usd }: RepositoryStatus, { usd: limit }: MonthlyLimit): string {
  if (limit === null) return "";
  return ` <span class="${usd >= limit ? "bad" : "muted"}">of ${text(dollars(limit))}${usd >= limit ? ", spent" : ""}</span>`;
}

function of(limit: MonthlyLimit | null, { usd }: { usd: number }): string {
  if (limit === null || limit.usd === null) return "";
  return `of ${dollars(limit.usd)}${usd >= limit.usd ? ", spent" : ""}; `;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

function count(amount: number): string {
  return amount.toLocaleString("en-US");
}

/** Returns a duration for people, such as `2 h 5 min`. */
function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
