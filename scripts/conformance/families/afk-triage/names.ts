import { z } from "zod";
import { markerOutcomes, renderMarker, TRIAGE_DISCLAIMER } from "../../../../src/github/index.ts";
import { runIdAt } from "../../../../src/triage/index.ts";
import { workspaceName } from "../../../../src/workspaces/index.ts";
import { type CaseReport, compare, notExpressible } from "../../case-report.ts";

export const namesSchema = z.strictObject({
  workspace: z.string(),
  branch: z.string(),
  run_id: z.string(),
  marker: z.string(),
  disclaimer: z.string(),
});

const ISSUE = 79;
const RUN_AT_MS = Date.UTC(2026, 3, 30, 14, 15, 0);

export function checkNames(names: z.infer<typeof namesSchema>, outcomes: readonly string[]): CaseReport[] {
  const runId = runIdAt(RUN_AT_MS);
  const filled = (template: string): string =>
    template
      .replace(/<issue>|<n>/, String(ISSUE))
      .replace("<outcome>", "needs-info")
      .replace("<runId>", runId);
  return [
    compare(
      "name of the Coder workspace",
      filled(names.workspace),
      workspaceName({ repo: "coder/agent-tty", number: ISSUE, prefix: null }),
    ),
    notExpressible(
      "name of the branch",
      "the program makes no branch: the checkout is read, tried and deleted",
    ),
    compare("run id", runIdLike(names.run_id), runId),
    compare(
      "marker",
      filled(names.marker),
      renderMarker({ issue: ISSUE, outcome: "needs-info", run: runId }),
    ),
    compare("disclaimer", names.disclaimer, TRIAGE_DISCLAIMER),
    compare("outcomes", outcomes, [...markerOutcomes]),
  ];
}

/** Returns a run id in a format such as `YYYYMMDDTHHMMSSZ`: the first MM is the month, the second the minutes. */
function runIdLike(format: string): string {
  const parts = { YYYY: "2026", MM: "04", DD: "30", HH: "14", SS: "00" };
  const [template = ""] = format.split(" ");
  const dated = Object.entries(parts).reduce(
    (text, [letters, value]) => text.replace(letters, value),
    template,
  );
  return dated.replace("MM", "15");
}
