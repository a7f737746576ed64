import { dirname } from "node:path";
import { type BatchPorts, type Publishable, withoutDirectory } from "../../triage/index.ts";
import { renderVerdict } from "../comment/index.ts";
import type { SweepSettings } from "../settings.ts";
import type { SweptIssue } from "../swept/index.ts";

/** A verdict implies no role, so labels stay unchanged. */
const NO_ROLE = { state: null, category: null, labels: "leave" } as const;

/**
 * Returns the comment on a verdict. It proposes a close if that is configured, the evidence allows it and nobody has objected to
 * an earlier one (W3).
 */
export function publishableVerdict(
  swept: SweptIssue,
  { ports }: { ports: Pick<BatchPorts, "clock" | "runsDirectory"> },
  { settings }: { settings: Pick<SweepSettings, "closes" | "graceMs"> },
): Publishable {
  const { verdict } = swept;
  const mayClose = settings.closes && verdict.type === "fixed" && swept.close.type === "open";
  const closeAfter = mayClose ? new Date(ports.clock.nowMs() + settings.graceMs).toISOString() : null;
  const home = dirname(ports.runsDirectory);
  return {
    kind: "sweep",
    target: { ...NO_ROLE, close: null },
    policy: [`verdict-${verdict.type}`, ...(mayClose ? ["close-proposed"] : [])],
    render: (context) => renderVerdict({ swept: withoutDirectory(swept, home), closeAfter }, context),
  };
}

/** Returns the close itself, without a comment, because the earlier comment announced it. */
export function publishableClose(): Publishable {
  return {
    kind: "sweep",
    target: { ...NO_ROLE, close: "completed" },
    policy: ["verdict-fixed", "closed-after-grace"],
    render: null,
  };
}
