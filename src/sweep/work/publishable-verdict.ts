import { dirname } from "node:path";
import type { Issue } from "../../github/index.ts";
import {
  type BatchContext,
  type BatchPorts,
  type Publishable,
  withoutDirectory,
} from "../../triage/index.ts";
import { renderVerdict } from "../comment/index.ts";
import type { SweepSettings } from "../settings.ts";
import type { SweptIssue } from "../swept/index.ts";
import { CLOSE, mayClose } from "./may-close.ts";

interface ProposalContext {
  trust: Pick<BatchContext["trust"], "levelOf">;
  ports: Pick<BatchPorts, "clock" | "runsDirectory">;
}

/**
 * Returns the comment on a verdict. It proposes a close if the sweep may close, the evidence allows it, and no person has reopened
 * the issue or objected to an earlier close (W3).
 */
export function publishableVerdict(
  swept: SweptIssue,
  { ref, stateReason }: Pick<Issue, "ref" | "stateReason">,
  context: ProposalContext,
  { settings }: { settings: Pick<SweepSettings, "closes" | "graceMs"> },
): Publishable {
  const { ports } = context;
  const { verdict } = swept;
  const isUncontested = swept.close.type === "open" && stateReason !== "reopened";
  const isProposed = verdict.type === "fixed" && isUncontested && mayClose(ref.repo, context, settings);
  const closeAfter = isProposed ? new Date(ports.clock.nowMs() + settings.graceMs).toISOString() : null;
  const home = dirname(ports.runsDirectory);
  return {
    kind: "sweep",
    target: { ...CLOSE, close: null },
    policy: [`verdict-${verdict.type}`, ...(isProposed ? ["close-proposed"] : [])],
    render: (context) => renderVerdict({ swept: withoutDirectory(swept, home), closeAfter }, context),
  };
}

/** Returns the close itself, without a comment, because the earlier comment announced it. */
export function publishableClose(withdrawal: NonNullable<Publishable["withdrawal"]>): Publishable {
  return {
    kind: "sweep",
    target: CLOSE,
    policy: ["verdict-fixed", "closed-after-grace"],
    render: null,
    withdrawal,
  };
}
