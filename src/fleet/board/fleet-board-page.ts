import { shownText } from "../../github/index.ts";
import type { MonthlyLimit } from "../spend/index.ts";
import type { RepositoryStatus, ScopedStatus } from "../status/index.ts";
import { fleetBoardDocument, type FleetBoardDocument } from "./fleet-board-document.ts";
import { FLEET_BOARD_STYLE } from "./fleet-board-style.ts";

/** More rows make the page slow on a telephone; the document has all. */
const MAX_ROWS = 500;
const REFRESH_SECONDS = 30;

/** The board over the fleet as a page without scripts, which reads itself anew every 30 s. `nonce` admits its style. */
export function fleetBoardPage(status: ScopedStatus, nonce: string): string {
  const document = fleetBoardDocument(status);
  const rows = document.repositories.toSorted(byWork);
  const hidden = rows.length - MAX_ROWS;
  const more =
    hidden <= 0
      ? ""
      : `<p class="muted">${hidden} more have less to do; <a href="/api/fleet">the document</a> has all.</p>`;
  return frame(
    nonce,
    `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
    `<header><h1>Fleet</h1><p class="muted">${rows.length} ${rows.length === 1 ? "repository" : "repositories"}${document.isWhole ? "" : " that this token may see"}, ${text(document.month)}</p></header>
${tiles(document)}
<h2>Repositories</h2>
${rows.length === 0 ? "<p>None is followed. Install the GitHub App on a repository, or start a worker with --repo.</p>" : table(rows.slice(0, MAX_ROWS), document)}
${more}
<p class="muted">The Triage Runs themselves are on the board of <code>afk-triage serve</code>.</p>`,
  );
}

/** The page that a browser without a token of this board sees. */
export function signInPage(nonce: string): string {
  return frame(
    nonce,
    "",
    `<header><h1>Fleet</h1></header>
<p>This board needs a token: open its address with <code>?token=</code> and your token behind it. Whoever runs the fleet keeps the tokens in <code>AFK_TRIAGE_BOARD_TOKENS</code>.</p>`,
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
  const perOwner = caps.perOwner === null ? "" : `, ${caps.perOwner} of an owner`;
  const lost = spend.lost === 0 ? "" : `; ${spend.lost} of dead workers at the most they may have cost`;
  const all: [string, string, string][] = [
    ["Waiting", String(waiting), waiting === 0 ? "nothing is due" : `the oldest is due for ${age(oldestMs)}`],
    ["Running", String(running), `at most ${caps.perRepository} of a repository${perOwner}`],
    ["Workers", String(workers), workers === 0 ? "nobody works" : "alive"],
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

/** Those with work first, the longest wait before the others; then the most expensive. */
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

/** E.g. `2 h 5 min`. */
function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** Names come from GitHub: no character of one is markup, and none reorders the page. */
function text(value: string): string {
  return shownText(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
