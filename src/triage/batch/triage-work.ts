import { decideSecurityReport } from "../policy/index.ts";
import type { BatchWork } from "./batch-work.ts";
import { publishableDecision } from "./publishable.ts";
import { isCaughtEarly } from "./screen-issue.ts";
import { assess, selectIssues } from "./select-issues.ts";
import { workOut } from "./run/index.ts";

export const triageWork: BatchWork = {
  runIdSuffix: "",
  title: "Triage Batch",
  makesRegressionTests: true,
  feedsIssueIndex: true,
  select: selectIssues,
  assess,
  // A vulnerability report needs no Coder workspace and no Triage Agent (S16).
  early: (candidate, context) => {
    const isCaught = isCaughtEarly(candidate, context.settings.labels);
    return Promise.resolve(isCaught ? publishableDecision(decideSecurityReport(), context) : null);
  },
  conclude: async (fresh, workspace, record, context, patience) =>
    publishableDecision(await workOut(fresh, workspace, record, context, patience), context),
  published: () => Promise.resolve(),
};
