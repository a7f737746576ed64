import { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import type { CoderContext } from "./coder-context.ts";
import { planCreates, type Preflight, runPreflight } from "./preflight.ts";
import type { TemplatePlan } from "./template-plan.ts";

/** The plan of the creates, which follows the template's active version: a parent may live for months. */
export interface CurrentPlan {
  preflight(signal: AbortSignal): Promise<Preflight>;
  /**
   * Creates with the plan, which is read again when it is old. If the deployment refuses the create, and another version is active
   * by now, it creates once more with the plan of that version.
   */
  withPlan<Result>(create: (plan: TemplatePlan) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/**
 * The errors after which the plan is read again: a version that is no longer active may be refused, as may its preset or its
 * parameters.
 */
const REFUSALS: ReadonlySet<WorkspaceErrorCode> = new Set([
  "CODER_FORBIDDEN",
  "CODER_PARAMETER_REJECTED",
  "CODER_PRESET_MISSING",
  "CODER_UNEXPECTED_ANSWER",
  "WORKSPACE_CREATE_FAILED",
]);

/** Returns the plan of the creates. It is read again when it is old, or when the deployment refuses a create. */
export function followTemplate(context: CoderContext): CurrentPlan {
  const { clock, timings } = context;
  let last: { plan: TemplatePlan; readMs: number } | null = null;
  const note = (plan: TemplatePlan): TemplatePlan => {
    last = { plan, readMs: clock.monotonicMs() };
    return plan;
  };
  const preflight = async (signal: AbortSignal): Promise<Preflight> => {
    last = null;
    const passed = await runPreflight(context, signal);
    note(passed.plan);
    return passed;
  };
  const current = async (signal: AbortSignal): Promise<TemplatePlan> => {
    if (last === null) return (await preflight(signal)).plan;
    const isOld = clock.monotonicMs() - last.readMs > timings.planFreshMs;
    return isOld ? note(await planCreates(context, signal)) : last.plan;
  };
  return {
    preflight,
    withPlan: async (create, signal) => {
      const plan = await current(signal);
      try {
        return await create(plan);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const newest = await planCreates(context, signal).catch(() => plan);
        if (newest.versionId === plan.versionId) throw error;
        return create(note(newest));
      }
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof OperationalError && REFUSALS.has(error.code as WorkspaceErrorCode);
}
