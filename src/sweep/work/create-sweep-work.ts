import type { Clock } from "agent-tty/kit";
import { type BatchWork, markerTrust } from "../../triage/index.ts";
import type { PlannedIssue } from "../plan/index.ts";
import type { SweepSettings } from "../settings.ts";
import { type SweptLibrary, textHash } from "../swept/index.ts";
import { messageKey } from "../verdict/index.ts";
import { assessSwept } from "./assess-swept.ts";
import { createCommentAllowance } from "./comment-allowance.ts";
import { concludeSwept } from "./conclude-swept.ts";
import { heedObjection } from "./heed-objection.ts";
import { publishableVerdict } from "./publishable-verdict.ts";
import { recallSaid } from "./recall-said.ts";
import { saidIn } from "./said-in.ts";
import { selectSwept } from "./select-swept.ts";
import type { Sweep } from "./sweep.ts";

export interface SweepWork extends BatchWork {
  /** The selection's plan, in order; empty before the selection. */
  readonly planned: readonly PlannedIssue[];
}

export function createSweepWork(settings: SweepSettings, library: SweptLibrary, clock: Clock): SweepWork {
  const sweep: Sweep = {
    settings,
    library,
    allowance: createCommentAllowance(library, settings, clock),
  };
  let planned: readonly PlannedIssue[] = [];
  return {
    get planned() {
      return planned;
    },
    runIdSuffix: "",
    title: "Sweep",
    makesRegressionTests: false,
    feedsIssueIndex: false,
    select: async (context) => {
      const { planned: plan, ...selection } = await selectSwept(context, sweep);
      planned = plan;
      return selection;
    },
    assess: (issue, context, signal) => assessSwept(issue, context, signal, sweep),
    early: async (assessed, context) => {
      const { issue, eligibility } = assessed;
      if (eligibility.type !== "eligible" || eligibility.reason !== "comment-due") return null;
      const swept = await library.read(issue.ref);
      if (swept === null || !(await sweep.allowance.take(issue.ref))) return null;
      const facts = { trust: markerTrust(context), nowMs: clock.nowMs() };
      const known = { ...swept, ...recallSaid(swept, assessed, facts) };
      // This is saved first: when our new comment is published, the unknown one that announced the close is no longer searched for.
      if (known.close !== swept.close) await library.save({ ...swept, close: known.close });
      const heeded = await heedObjection(known, assessed, context, library);
      return publishableVerdict(heeded, issue, context, sweep);
    },
    conclude: (fresh, workspace, record, context, patience) =>
      concludeSwept(fresh, workspace, record, context, patience, sweep),
    published: async ({ comment, issue }) => {
      const swept = await library.read(issue.ref);
      if (swept === null) return;
      const told =
        comment === null
          ? {}
          : {
              comment: { type: "published" } as const,
              said: saidIn(comment, messageKey(swept.verdict), textHash(issue), settings.graceMs),
            };
      const at = new Date(clock.nowMs()).toISOString();
      const closed = issue.state === "closed" ? { close: { type: "done", at } as const, isOpen: false } : {};
      await library.save({ ...swept, ...told, ...closed, updatedAt: issue.updatedAt });
    },
  };
}
