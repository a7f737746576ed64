import { type OperationalError, startDeadline } from "agent-tty/kit";
import type { CreateRequest, CreateResult, Lease, WorkspaceErrorCode } from "../port.ts";
import { isWorkspaceName } from "../workspace-name.ts";
import { type CoderAnswer, explain, unexpectedAnswer } from "./coder-answer.ts";
import type { CoderContext } from "./coder-context.ts";
import type { Attempt } from "./coder-http.ts";
import { type WorkspaceFacts, workspaceSchema } from "./coder-schemas.ts";
import { isOurLease, leaseParameters, readLease } from "./lease-parameters.ts";
import { isClaim } from "./readiness.ts";
import { coderWorkspace } from "./ready-workspace.ts";
import type { TemplatePlan } from "./template-plan.ts";
import { workspaceError } from "./workspace-error.ts";

const MINUTE_MS = 60_000;
const MAX_TTL_MS = 30 * 24 * 60 * MINUTE_MS;
const LOOKS_AFTER_LOSS = 3;

/**
 * Creates the Coder workspace and with it takes the name. Resolves with `locked` if another parent holds the name. After every
 * attempt that is not answered with 201, the code checks who holds the name, because an answer may be lost after the Coder
 * workspace was created, and a conflict has three forms (coder/coder: the check and the INSERT are not one statement).
 */
export async function createWorkspace(
  context: CoderContext,
  plan: TemplatePlan,
  request: CreateRequest,
  signal: AbortSignal,
): Promise<CreateResult> {
  if (!isWorkspaceName(request.name)) throw new Error(`not a name for a Coder workspace: ${request.name}`);
  const { api, clock, timings } = context;
  const body = createBody(context, plan, request);
  let isEffectUnknown = false;
  let delayMs = timings.retryFirstDelayMs;
  let verdict: Verdict = { type: "try-again", seen: "nothing" };
  for (let attempt = 1; attempt <= timings.createAttempts; attempt += 1) {
    signal.throwIfAborted();
    await context.paceCreates(signal);
    verdict = readAttempt(request.name, await api.createWorkspace(body));
    if (verdict.type === "created") return created(context, verdict.workspace, request.lease);
    if (verdict.type === "rejected") throw verdict.error;
    if (verdict.type === "lost") isEffectUnknown = true;
    if (verdict.type !== "try-again") {
      const holder = await findHolder(context, plan, request, isEffectUnknown);
      if (holder.type === "ours") return created(context, holder.workspace, request.lease);
      if (holder.type === "foreign") return { type: "locked", holder: holder.lease };
      if (holder.type === "unreadable") return unreadableHolder(request.name, isEffectUnknown, holder.error);
    }
    if (attempt < timings.createAttempts) await clock.sleep(delayMs, signal);
    delayMs = Math.min(delayMs * 2, timings.retryMaxDelayMs);
  }
  // This check runs after any answers, because a failure must not leave anything of ours behind.
  const holder = await findHolder(context, plan, request, true);
  if (holder.type === "ours") return created(context, holder.workspace, request.lease);
  if (holder.type === "foreign") return { type: "locked", holder: holder.lease };
  if (holder.type === "unreadable") return unreadableHolder(request.name, true, holder.error);
  throw workspaceError({
    code: "WORKSPACE_CREATE_FAILED",
    message: `Tried ${timings.createAttempts} times to create the Coder workspace ${request.name}; last seen: ${verdict.seen}`,
    remedy: "Check the health of the Coder deployment and that the template's active version is imported.",
  });
}

function createBody(
  { checkout, runDeadlineMs, timings, inspections }: CoderContext,
  plan: TemplatePlan,
  { name, lease }: CreateRequest,
): Record<string, unknown> {
  // The machine is ended when its lease ends (docs/coder.md), so the lease must last longer than an inspection.
  const leaseMs = runDeadlineMs + timings.leaseMarginMs + inspections.keepMs;
  const values = new Map([...leaseParameters(lease, plan.leaseNames, checkout, leaseMs), ...plan.parameters]);
  const ttlMs = Math.ceil((runDeadlineMs + timings.ttlMarginMs) / MINUTE_MS) * MINUTE_MS;
  return {
    name,
    template_version_id: plan.versionId,
    ...(plan.presetId === null ? {} : { template_version_preset_id: plan.presetId }),
    ttl_ms: Math.min(Math.max(ttlMs, MINUTE_MS), MAX_TTL_MS),
    automatic_updates: "never",
    rich_parameter_values: [...values].map(([name, value]) => ({ name, value })),
  };
}

type Verdict =
  | { type: "created"; workspace: WorkspaceFacts }
  | { type: "rejected"; error: OperationalError<WorkspaceErrorCode> }
  | { type: "conflict"; seen: string }
  /** It is unknown whether the Coder workspace exists. */
  | { type: "lost"; seen: string }
  /** The Coder workspace does not exist, but a later attempt may succeed. */
  | { type: "try-again"; seen: string };

function readAttempt(name: string, attempt: Attempt): Verdict {
  if (attempt.type === "passing")
    return { type: attempt.isUnknown ? "lost" : "try-again", seen: attempt.seen };
  const { answer } = attempt;
  const attempted = `create the Coder workspace ${name}`;
  switch (answer.status) {
    case 200:
    case 201: {
      const parsed = workspaceSchema.safeParse(answer.body);
      // A proxy sent a page with a success status, so the server's own answer is lost.
      return parsed.success
        ? { type: "created", workspace: parsed.data }
        : { type: "lost", seen: explain(answer) };
    }
    case 406:
      return { type: "try-again", seen: explain(answer) };
    case 409:
      return { type: "conflict", seen: explain(answer) };
    case 500:
      return {
        type: answer.text.includes("workspaces_owner_id_lower_idx") ? "conflict" : "lost",
        seen: explain(answer),
      };
    default:
      return { type: "rejected", error: rejection(attempted, answer) };
  }
}

function rejection(attempted: string, answer: CoderAnswer): OperationalError<WorkspaceErrorCode> {
  const seen = explain(answer);
  const message = `Tried to ${attempted}; the Coder deployment answered ${seen}`;
  if (answer.status === 403 && /external auth/i.test(seen))
    return workspaceError({
      code: "CODER_EXTERNAL_AUTH_MISSING",
      message,
      remedy:
        "Link the external authentication once, as the Coder user of the token, in the Coder dashboard.",
    });
  if (answer.status === 400 && /preset/i.test(seen))
    return workspaceError({ code: "CODER_PRESET_MISSING", message, remedy: "Correct `coder.preset`." });
  if (answer.status === 400 && /parameter/i.test(seen))
    return workspaceError({
      code: "CODER_PARAMETER_REJECTED",
      message,
      remedy: "Correct `coder.parameters`, or the validation in the Coder template.",
    });
  if (answer.status === 400)
    return workspaceError({
      code: "WORKSPACE_CREATE_FAILED",
      message,
      remedy: "Correct the configuration of the Coder template.",
    });
  return unexpectedAnswer(attempted, answer);
}

type Holder =
  | { type: "nobody" }
  | { type: "ours"; workspace: WorkspaceFacts }
  | { type: "foreign"; lease: Lease | null }
  | { type: "unreadable"; error: unknown };

/**
 * Returns who holds the name. The caller's signal does not apply, because the result of an attempt of unknown effect must be
 * found out. The retries of the requests themselves limit the time.
 */
async function findHolder(
  context: CoderContext,
  plan: TemplatePlan,
  { name, lease }: CreateRequest,
  isEffectUnknown: boolean,
): Promise<Holder> {
  const { api, clock, timings } = context;
  using deadline = startDeadline(clock, `the look for ${name}`, timings.retryForMs * 2);
  const { signal } = deadline;
  try {
    for (let look = 1; look <= (isEffectUnknown ? LOOKS_AFTER_LOSS : 1); look += 1) {
      if (look > 1) await clock.sleep(timings.settleMs, signal);
      const workspace = await api.workspaceByName(name, signal);
      if (workspace === null) continue;
      const found = await api.buildParameters(workspace.latest_build.id, signal);
      return isOurLease(lease, plan.leaseNames, found)
        ? { type: "ours", workspace }
        : { type: "foreign", lease: readLease(found) };
    }
    return { type: "nobody" };
  } catch (error) {
    return { type: "unreadable", error };
  }
}

function unreadableHolder(name: string, isEffectUnknown: boolean, cause: unknown): CreateResult {
  if (!isEffectUnknown) return { type: "locked", holder: null };
  throw workspaceError({
    code: "WORKSPACE_STRANDED",
    message: `The answer to the creation of the Coder workspace ${name} was lost, and the deployment did not say whether it exists`,
    remedy: `Look for it with \`coder list\`; the next batch reaps it.`,
    details: { name, id: null },
    cause,
  });
}

function created(
  context: CoderContext,
  { id, name, latest_build }: WorkspaceFacts,
  lease: Lease,
): CreateResult {
  const origin = isClaim(latest_build) ? "prebuilt" : "built";
  return { type: "created", workspace: { ...coderWorkspace(context, { id, name }, lease), origin } };
}
