import { messageOf } from "agent-tty/kit";
import {
  applyReap,
  type CoderWorkspaceProvider,
  planReap,
  type ReapPlan,
  type WorkspaceIdentity,
} from "../../../src/workspaces/index.ts";
import { type CoderStandIn, connect, deployment, LEASE_PARAMETERS, never, request } from "../coder/index.ts";
import type { ClaimSchedule } from "./draw-claims.ts";

export interface PlayedClaims {
  schedule: ClaimSchedule;
  claimed: number;
  built: number;
  kept: number;
  /** The violated rules, in words; empty if the schedule violates none. */
  violations: string[];
}

/**
 * Limits in milliseconds. They are long because on a busy machine a process may not run for half a minute, which is not a
 * violation.
 */
const PATIENCE = {
  requestTimeoutMs: 300_000,
  shellTimeoutMs: 300_000,
  cliTimeoutMs: 300_000,
  retryForMs: 60_000,
};

/** A reaper must not treat a younger lease than this as old. */
const MAX_AGE_MS = 60_000;

/** Creates, uses and deletes Coder workspaces under the faults of the schedule, while a parent elsewhere reaps. */
export async function playClaims(schedule: ClaimSchedule): Promise<PlayedClaims> {
  const { pool, prebuildAgeMs, namesPreset, reinitMs, shutdownMs } = schedule;
  const preset = { name: "warm", prebuilds: pool, prebuildAgeMs };
  await using subject = await deployment(
    {
      templates: [{ name: "triage", parameters: LEASE_PARAMETERS, presets: [preset] }],
      timings: { reinitMs, shutdownMs },
    },
    // The settle time of a claim is shorter than the product's, because the stand-in needs only milliseconds.
    { preset: namesPreset ? "warm" : "none", timings: { ...PATIENCE, claimSettleMs: 2_000 } },
  );
  const { standIn, provider } = subject;
  await provider.preflight(never);
  standIn.state.settle();
  for (const answer of schedule.answers)
    standIn.faults.answers.push({
      ...answer,
      path: /^\/(users\/me\/workspaces?|workspaces\/|workspacebuilds\/)/,
    });
  const played: PlayedClaims = { schedule, claimed: 0, built: 0, kept: 0, violations: [] };
  await Promise.all(
    Array.from({ length: schedule.creates }, (_, index) => playOne(index, standIn, provider, played)),
  );
  const left = standIn.liveNames();
  if (left.length > 0) played.violations.push(`left behind: ${left.join(", ")}`);
  return played;
}

async function playOne(
  index: number,
  standIn: CoderStandIn,
  provider: CoderWorkspaceProvider,
  played: PlayedClaims,
): Promise<void> {
  const name = `product-triage-${index + 1}`;
  const fail = (what: string): void => void played.violations.push(`${name}: ${what}`);
  const lease = { issueKey: `octo/product#${index + 1}`, parent: "elsewhere/1/boot.1.1" };
  // One signal for all claims would get more listeners at once than Node expects without a leak.
  const { signal } = new AbortController();
  try {
    const result = await provider.create(request(name, lease), signal);
    if (result.type === "locked") return fail("locked, although nobody else wants it");
    const { workspace } = result;
    played[workspace.origin === "prebuilt" ? "claimed" : "built"] += 1;
    await reapElsewhere(standIn, fail);
    const shell = await workspace.ready(signal, () => undefined);
    if (played.schedule.restarts[index] === true) standIn.reinitialise(name);
    const answer = await shell.exec("printf done", { timeoutMs: PATIENCE.shellTimeoutMs });
    if (answer.type !== "exited" || answer.exitCode !== 0) fail(`its command ended: ${answer.type}`);
    await reapElsewhere(standIn, fail);
    if (
      played.schedule.keeps[index] === true &&
      (await inspect(standIn, provider, workspace, signal, fail))
    ) {
      played.kept += 1;
      return;
    }
    const end = await provider.destroy({ id: workspace.id, name }, signal);
    if (end.type === "stranded") fail(`stranded: ${end.error.message}`);
  } catch (error) {
    fail(messageOf(error));
  }
}

const INSPECTION_MS = 3_600_000;

/**
 * Keeps a Coder workspace for inspection, and returns whether it was kept. A kept one must be destroyed by a parent on another
 * machine when its inspection ends, and not before.
 */
async function inspect(
  standIn: CoderStandIn,
  provider: CoderWorkspaceProvider,
  { id, name }: WorkspaceIdentity,
  signal: AbortSignal,
  fail: (what: string) => void,
): Promise<boolean> {
  const kept = await provider.keep({ id, name }, INSPECTION_MS, signal);
  if (kept.type === "not-kept") return false;
  const elsewhere = connect(standIn, { timings: PATIENCE });
  if ((await reaped(elsewhere)).some(({ workspace }) => workspace.id === id)) fail("not kept until its time");
  standIn.age(name, INSPECTION_MS + 120_000);
  const destroy = (await reaped(elsewhere)).filter(({ workspace }) => workspace.id === id);
  if (destroy.length !== 1) fail("kept longer than its inspection");
  for (const { result } of await applyReap({ destroy, keep: [] }, elsewhere, signal))
    if (result.type === "stranded") fail(`stranded: ${result.error.message}`);
  return true;
}

/** Searches for old leases as a parent on another machine does: it must find only those whose inspection is over. */
async function reapElsewhere(standIn: CoderStandIn, fail: (what: string) => void): Promise<void> {
  const destroy = await reaped(connect(standIn, { timings: PATIENCE }));
  for (const { workspace, reason } of destroy)
    if (reason !== "inspection-over") fail(`would be reaped (${reason}): ${workspace.name}`);
}

async function reaped(elsewhere: CoderWorkspaceProvider): Promise<ReapPlan["destroy"]> {
  const found = await elsewhere.list("product-triage", never);
  return planReap(found, { ownParent: "here/1/boot.1.2", maxAgeMs: MAX_AGE_MS }).destroy;
}
