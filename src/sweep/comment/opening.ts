import { joinMarkdown, type Markdown, ourMarkdown } from "../../github/index.ts";
import type { ForeignText } from "../../triage/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import type { Verdict } from "../verdict/index.ts";

/** Returns the first line of a comment: the verdict with its evidence, or with the remark that there is none. */
export function openingOf({ verdict }: Pick<SweptIssue, "verdict">, text: ForeignText): Markdown {
  switch (verdict.type) {
    case "fixed":
      return fixedOpening(verdict, text);
    case "still-broken":
      return stillBrokenOpening(verdict, text);
    case "not-reproduced":
      return verdict.runs === 0
        ? ourMarkdown`**Not reproduced.** ${text.line(verdict.why)}`
        : ourMarkdown`**Not reproduced** in ${verdict.runs} ${verdict.runs === 1 ? ourMarkdown`run` : ourMarkdown`runs`} on the default branch. ${text.line(verdict.why)}`;
    case "needs-reproduction":
      return ourMarkdown`**Needs a reproduction**: the script in the report was run, and it proves nothing. ${text.line(verdict.why)}`;
    case "not-a-bug":
      return verdict.basis === "runs"
        ? ourMarkdown`**Probably not a bug**, according to the program's own runs. ${text.line(verdict.why)}`
        : ourMarkdown`**Probably not a bug**, in the opinion of a Triage Agent; nothing was run. ${text.line(verdict.why)}`;
    case "duplicate":
      return ourMarkdown`**Duplicate** of #${verdict.of}, shown by the program's own runs. ${text.line(verdict.why)}`;
    case "withheld":
      throw new Error("nothing is said about a vulnerability report");
  }
}

function fixedOpening(verdict: Extract<Verdict, { type: "fixed" }>, text: ForeignText): Markdown {
  const { before, runs, release, commit, isExact } = verdict;
  const inRelease = release === null ? null : ourMarkdown`**Fixed** in ${text.span(release)}`;
  const by =
    commit === null || !isExact ? ourMarkdown`` : ourMarkdown` by commit ${text.span(commit.slice(0, 12))}`;
  const where = isExact
    ? (inRelease ?? ourMarkdown`**Fixed** on the default branch (not released yet)`)
    : inRelease === null
      ? ourMarkdown`**Fixed** on the default branch (which release has the fix is not known)`
      : ourMarkdown`${inRelease} or earlier`;
  return ourMarkdown`${where}${by}: the script below fails in ${runs} of ${runs} runs on ${text.span(before)} and passes on the default branch.`;
}

function stillBrokenOpening(
  verdict: Extract<Verdict, { type: "still-broken" }>,
  text: ForeignText,
): Markdown {
  const { commit, since, flaky } = verdict;
  const on =
    commit === null ? ourMarkdown`the default branch` : ourMarkdown`commit ${text.span(commit.slice(0, 12))}`;
  const how =
    flaky === null ? ourMarkdown`in every run` : ourMarkdown`in ${flaky.matched} of ${flaky.runs} runs`;
  const parts = [
    ourMarkdown`**Still broken** on ${on}: the script below fails ${how}.`,
    ...(since === null ? [] : [ourMarkdown`First bad: ${text.span(since.slice(0, 40))}.`]),
  ];
  return joinMarkdown(parts, " ");
}
