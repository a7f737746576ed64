import { htmlText as text } from "../../github/index.ts";
import type { ReportRow, SweepReport } from "./sweep-report.ts";

/**
 * Returns the report as one page without scripts, for a browser or for the board. `nonce` lets the page's style pass a content
 * security policy; null: there is no policy.
 */
export function reportHtml(report: SweepReport, nonce: string | null): string {
  const { verdicts, byVersion, byArea, toClose, worst, totals, issues, repos, madeAt } = report;
  const total = issues.length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sweep of ${text(repos.join(", "))}</title>
<style${nonce === null ? "" : ` nonce="${text(nonce)}"`}>${STYLE}</style>
</head>
<body>
<main>
<h1>Sweep</h1>
<p>${total} ${total === 1 ? "issue" : "issues"} of ${text(repos.join(", ") || "no repository")} with a verdict, ${text(madeAt.slice(0, 16).replace("T", " "))} UTC.</p>
${table(
  "Verdicts",
  ["verdict", "issues"],
  Object.entries(verdicts).map(([verdict, count]) => [text(verdict), String(count)]),
)}
${issueTable(titleOf("What can be closed", toClose, totals.toClose), toClose, "Each failed on the reported version and passes on the default branch.")}
${issueTable(titleOf("What to look at first", worst, totals.worst), worst, "Bugs that are still there; the most reported come first.")}
${table(
  titleOf("By version", byVersion, totals.byVersion),
  ["version", "fixed in it", "broken since"],
  byVersion.map((one) => [text(one.version), String(one.fixed), String(one.brokenSince)]),
)}
${table(
  titleOf("By label", byArea, totals.byArea),
  ["label", "issues", "fixed", "still broken"],
  byArea.map((one) => [text(one.label), String(one.issues), String(one.fixed), String(one.stillBroken)]),
)}
${issueTable("All verdicts", issues, "")}
</main>
</body>
</html>
`;
}

/** Returns the title of a list. The title of a list that was cut says how many rows there are. */
function titleOf(title: string, rows: readonly unknown[], total: number): string {
  return rows.length === total ? title : `${title} (${rows.length} of ${total})`;
}

function issueTable(title: string, rows: readonly ReportRow[], lead: string): string {
  const cells = rows.map((row) => [
    link(row.url, `${row.repo}#${row.number}`),
    text(row.title),
    text(row.verdict),
    text(row.detail),
    String(row.people),
    String(row.reactions),
    text(row.createdAt.slice(0, 10)),
    text(row.evidence),
    row.commentUrl === ""
      ? ""
      : link(
          row.commentUrl,
          row.closeAfter === "" ? "comment" : `closes after ${row.closeAfter.slice(0, 10)}`,
        ),
  ]);
  const head = ["issue", "title", "verdict", "detail", "people", "reactions", "opened", "evidence", "said"];
  return table(title, head, cells, lead);
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  lead = "",
): string {
  const body =
    rows.length === 0
      ? "<p>None.</p>"
      : `<div class="scroll"><table><thead><tr>${head.map((one) => `<th scope="col">${text(one)}</th>`).join("")}</tr></thead><tbody>${rows
          .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
          .join("\n")}</tbody></table></div>`;
  return `<section><h2>${text(title)}</h2>${lead === "" ? "" : `<p>${text(lead)}</p>`}${body}</section>`;
}

/** Returns a link if the URL is http or https, otherwise only the text, because other schemes could run code. */
function link(address: string, label: string): string {
  return /^https?:\/\//.test(address)
    ? `<a rel="noreferrer" href="${text(address)}">${text(label)}</a>`
    : text(label);
}

const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 80rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
`;
