import { dirname } from "node:path";
import { messageOf } from "agent-tty/kit";
import { issueKey, type Person, redactSecrets } from "../../github/index.ts";
import {
  controlDirectory,
  type IssueFacts,
  removeControlOf,
  type RunOwner,
  RunService,
  selectedTriageRun,
  serveControl,
} from "../../runs/index.ts";
import { parentState } from "../../workspaces/index.ts";
import { waitingSinceMs } from "../eligibility/index.ts";
import type { BatchPorts } from "./batch-context.ts";
import type { BatchSettings } from "./settings.ts";
import { StopRequested } from "./failures.ts";
import { shownTitle } from "./screen-issue.ts";
import type { Candidate } from "./candidate.ts";

/** `restore` relaunches terminated runs (O19); it skips issues that have no such run. */
export type RunMode = "new" | "restore";

/**
 * Creates the run service of a batch. If the store fails during the batch (a full disk), records are lost, but no Triage Run or
 * deletion fails.
 */
export function createRunService({
  store,
  clock,
  observe,
}: Pick<BatchPorts, "store" | "clock" | "observe">): RunService {
  return new RunService({
    journal: store,
    onUnsaved: (error) =>
      observe({ type: "warning", message: `a fact of this batch was not stored: ${messageOf(error)}` }),
    clock,
    stopError: (reason) => new StopRequested(reason),
  });
}

interface RunOpening {
  service: RunService;
  runId: string;
  viewer: Person;
  settings: Pick<BatchSettings, "needsInfoActivity">;
  ports: Pick<BatchPorts, "clock" | "store" | "canaries">;
}

/**
 * Opens the candidate's run at its selection and returns its owner, so that a queued run can be stopped. null: there is nothing
 * to restore.
 */
export function openRun(candidate: Candidate, mode: RunMode, context: RunOpening): RunOwner | null {
  const { service, runId, ports } = context;
  const { issue } = candidate;
  const { repo, number } = issue.ref;
  const atMs = ports.clock.nowMs();
  if (mode === "new") {
    const { type, owner } = service.open(
      selectedTriageRun({ runId, repo, number, atMs, issue: issueFacts(candidate, context) }),
    );
    if (type === "already-owned") throw new Error(`${issueKey(issue.ref)} was selected twice`);
    return owner;
  }
  const before = ports.store.latestRun(repo, number);
  const restored = before === null ? null : service.restore(before, { runId, atMs });
  return restored?.type === "opened" ? restored.owner : null;
}

/**
 * Returns the facts that are stored about the issue. Anybody can write its title, so secrets (S8, S18) and the titles of
 * vulnerability reports (S16) are withheld.
 */
function issueFacts(
  candidate: Candidate,
  { ports, viewer, settings }: Pick<RunOpening, "ports" | "viewer" | "settings">,
): IssueFacts {
  const { url } = candidate.issue;
  const activity = { viewerId: viewer.id, activity: settings.needsInfoActivity };
  return {
    title: ports.canaries.withhold(redactSecrets(shownTitle(candidate))),
    url,
    waitingSinceMs: waitingSinceMs({ ...candidate, ...activity }),
  };
}

interface RunServing {
  service: RunService;
  runId: string;
  ports: Pick<BatchPorts, "store" | "observe" | "parent" | "clock" | "runsDirectory">;
}

/**
 * Makes the runs reachable for other processes until disposed, which is when the batch ends (C17). If the home cannot hold the
 * socket, the batch runs without it.
 */
export async function serveRuns({ service, runId, ports }: RunServing): Promise<AsyncDisposable> {
  const { store, observe, parent, clock } = ports;
  const home = dirname(ports.runsDirectory);
  try {
    await removeControlOf(home, async (other) => {
      const batch = store.batch(other);
      return batch !== null && (await parentState(batch.parent)) === "dead";
    });
    return await serveControl(controlDirectory(home, runId), { service, runId, parent, clock });
  } catch (error) {
    observe({ type: "warning", message: messageOf(error) });
    return { [Symbol.asyncDispose]: () => Promise.resolve() };
  }
}
