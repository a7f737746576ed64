import { expect, test } from "vitest";
import type { CoderTimings } from "../../src/workspaces/index.ts";
import {
  type CoderFaults,
  type CoderStandIn,
  type CoderStandInOptions,
  created,
  deployment,
  LEASE_PARAMETERS,
  never,
} from "../support/coder/index.ts";

type Expected = "destroyed" | "absent" | { strandedBecause: RegExp };

interface Case {
  faults?: Partial<CoderFaults>;
  allowUserCancel?: boolean;
  standIn?: CoderStandInOptions;
  timings?: Partial<CoderTimings>;
  /** Runs after create and before destroy. */
  arrange?: (standIn: CoderStandIn) => void;
  expected: Expected;
  /** The writes that destroy sends, in order. */
  writes?: string[];
}

const CANCEL = (status: string): string => `PATCH /workspacebuilds/cancel?expect_status=${status}`;
const DELETE = "POST /workspaces/builds";
const deletePath = /^\/workspaces\/[^/]+\/builds$/;

const CASES: Record<string, Case> = {
  "coder failure 12, T5: one whose build still waits is cancelled first, which is always permitted": {
    faults: { startBuild: "stuck-pending" },
    expected: "destroyed",
    writes: [CANCEL("pending"), DELETE],
  },
  "coder failure 12, T5: one that is being built is cancelled where the template permits it": {
    faults: { startBuild: "stuck-running" },
    allowUserCancel: true,
    arrange: (standIn) => settleUntilRunning(standIn),
    expected: "destroyed",
    writes: [CANCEL("running"), DELETE],
  },
  "T5: a cancellation that the server failed to answer is asked for again": {
    faults: { startBuild: "stuck-pending" },
    arrange: ({ faults }) =>
      faults.answers.push({
        method: "PATCH",
        path: /cancel$/,
        times: 2,
        effect: "before",
        answer: { status: 500, body: { message: "Internal server error" } },
      }),
    expected: "destroyed",
    writes: [CANCEL("pending"), CANCEL("pending"), CANCEL("pending"), DELETE],
  },
  "coder failure 19: a build that may not be cancelled is waited for": {
    standIn: { timings: { buildMs: 400 } },
    arrange: (standIn) => settleUntilRunning(standIn),
    expected: "destroyed",
    writes: [CANCEL("running"), DELETE],
  },
  "coder failure 19: a 409 of another parent's build is waited out": {
    arrange: ({ faults }) =>
      faults.answers.push({
        method: "POST",
        path: deletePath,
        times: 2,
        effect: "before",
        answer: { status: 409, body: { message: "A workspace build is already active." } },
      }),
    expected: "destroyed",
  },
  "coder failure 11: one whose build failed": { faults: { startBuild: "fails" }, expected: "destroyed" },
  "coder failure 20: Terraform errors are retried": { faults: { failingDeletes: 3 }, expected: "destroyed" },
  "coder failure 20: Terraform errors that stay strand it after as many delete builds as are allowed": {
    faults: { failingDeletes: 1000 },
    timings: { deleteAttempts: 3 },
    arrange: (standIn) => finishBuilds(standIn),
    expected: { strandedBecause: /delete build ended failed: terraform apply/ },
    writes: [DELETE, DELETE, DELETE],
  },
  "coder failure 20: a failed delete build of another parent is not counted as one of our attempts": {
    arrange: (standIn) => {
      standIn.faults.failingDeletes = 1;
      addDelete(standIn, "failed");
    },
    timings: { deleteAttempts: 1 },
    expected: { strandedBecause: /delete build ended failed: terraform apply/ },
    writes: [DELETE],
  },
  "coder failure 12: a build that is being cancelled already is waited for": {
    standIn: { timings: { cancelMs: 60 } },
    arrange: ({ state, faults }) => {
      faults.startBuild = "stuck-running";
      const build = state.workspaces[0]?.builds[0];
      if (build === undefined) throw new Error("nothing was created");
      Object.assign(build, { job: "canceling", canceledMs: Date.now(), outcome: "stuck-running" });
    },
    expected: "destroyed",
    writes: [DELETE],
  },
  "T5: a delete build that another parent started is waited for, never cancelled, and strands it at the deadline":
    {
      allowUserCancel: true,
      arrange: (standIn) => addDelete(standIn, "pending"),
      timings: { deleteLimitMs: 300 },
      expected: { strandedBecause: /within 300 ms; last seen: its latest build is a delete, pending/ },
      writes: [],
    },
  "coder failure 8: a delete that is forbidden strands it": {
    faults: { deleteForbidden: true },
    expected: { strandedBecause: /HTTP 403/ },
  },
  "coder failure 12: a build that neither ends nor may be cancelled strands it at the deadline": {
    faults: { startBuild: "stuck-running" },
    arrange: (standIn) => settleUntilRunning(standIn),
    timings: { deleteLimitMs: 1500 },
    expected: { strandedBecause: /within 1500 ms; last seen: its latest build is a start, running/ },
  },
  "coder failure 7: a token that expired strands it": {
    arrange: ({ faults }) => (faults.unauthorized = true),
    expected: { strandedBecause: /signed out/ },
  },
  "coder failure 10: a deployment that is away for a while": {
    arrange: ({ faults }) => {
      const answer = { status: 503, html: "<title>restarting</title>" };
      for (const [method, path] of [
        ["GET", /^\/workspaces\//],
        ["POST", deletePath],
      ] as const)
        faults.answers.push({ method, path, times: 3, effect: "before", answer });
    },
    expected: "destroyed",
  },
  "coder failure 10: a deployment that is away for longer than one request is retried": {
    timings: { retryForMs: 30 },
    arrange: ({ faults }) =>
      faults.answers.push({
        method: "GET",
        path: /^\/workspaces\//,
        times: 30,
        effect: "before",
        answer: "drop",
      }),
    expected: "destroyed",
  },
  "coder failure 3: a delete whose answer was lost is not started twice": {
    arrange: ({ faults }) =>
      faults.answers.push({ method: "POST", path: deletePath, times: 1, effect: "after", answer: "drop" }),
    expected: "destroyed",
  },
  "coder failure 21: one that is gone already": {
    arrange: ({ state }) => state.workspaces.forEach((workspace) => (workspace.isDeleted = true)),
    expected: "absent",
    writes: [],
  },
};

test.each(Object.keys(CASES))("destroy: %s", async (name) => {
  const given = CASES[name];
  if (given === undefined) throw new Error(name);
  const {
    faults = {},
    allowUserCancel = false,
    standIn = {},
    timings = {},
    arrange,
    expected,
    writes,
  } = given;
  const templates = [{ name: "triage", parameters: LEASE_PARAMETERS, allowUserCancel }];
  await using subject = await deployment({ templates, ...standIn }, { timings });
  Object.assign(subject.standIn.faults, faults);
  const { id, name: workspaceName } = await created(subject.provider);
  arrange?.(subject.standIn);
  const before = subject.standIn.requests.length;
  const result = await subject.provider.destroy({ id, name: workspaceName }, never);
  if (typeof expected === "string") expect(result).toEqual({ type: expected });
  else expectStranded(result, expected.strandedBecause, id);
  const sent = subject.standIn.requests.slice(before).map(({ line }) => line.replace(/\/[0-9a-f-]{36}/, ""));
  const actual = sent.filter((line) => !line.startsWith("GET"));
  if (writes !== undefined) expect(actual).toEqual(writes);
  const bodies = subject.standIn.requests.slice(before).map(({ body }) => JSON.stringify(body ?? null));
  expect(bodies.join()).not.toContain("orphan");
  if (typeof expected === "string") expect(subject.standIn.liveNames()).toEqual([]);
});

function expectStranded(result: unknown, because: RegExp, id: string): void {
  expect(result).toMatchObject({
    type: "stranded",
    error: {
      code: "WORKSPACE_STRANDED",
      message: expect.stringMatching(because) as string,
      remedy: expect.stringContaining("coder delete product-triage-142") as string,
      details: {
        id,
        name: "product-triage-142",
        url: expect.stringContaining("/@me/product-triage-142") as string,
      },
    },
  });
}

function finishBuilds({ state }: CoderStandIn): CoderStandIn["state"]["workspaces"][number] {
  const [workspace] = state.workspaces;
  if (workspace === undefined) throw new Error("nothing was created");
  for (const build of workspace.builds) build.job = "succeeded";
  return workspace;
}

function addDelete(standIn: CoderStandIn, job: "pending" | "failed"): void {
  Object.assign(standIn.state.addBuild(finishBuilds(standIn), "delete"), { job, outcome: "stuck-pending" });
}

/** Moves the stand-in's time until the build runs. Requests would move it, but none was sent since the create. */
function settleUntilRunning({ state }: CoderStandIn): void {
  const build = state.workspaces[0]?.builds[0];
  if (build === undefined) throw new Error("nothing was created");
  // The build begins now, however long the create took.
  Object.assign(build, { job: "pending", createdMs: Date.now() - state.timings.queueMs, startedMs: null });
  state.settle();
  if (build.job !== "running") throw new Error(`the build is ${build.job}`);
}

test("after an abort, everything not deleted is reported as stranded (T5)", async () => {
  await using subject = await deployment();
  subject.standIn.faults.startBuild = "stuck-running";
  const { id, name } = await created(subject.provider);
  settleUntilRunning(subject.standIn);
  const stop = new AbortController();
  const outcome = subject.provider.destroy({ id, name }, stop.signal);
  stop.abort(new Error("stopped by the test"));
  expect(await outcome).toMatchObject({
    type: "stranded",
    error: { message: expect.stringContaining("stopped by the test") as string },
  });
});

test("the lease is held, lost or unknown (policy 8, O13)", async () => {
  await using subject = await deployment();
  const { id } = await created(subject.provider);
  const { faults, state } = subject.standIn;
  const lease = () => subject.provider.leaseState(id, never);
  expect(await lease()).toBe("held");
  faults.unauthorized = true;
  expect(await lease()).toBe("unknown");
  faults.unauthorized = false;
  const dropped = { method: "GET", path: /^\/workspaces\//, times: 1000, effect: "before" as const };
  faults.answers.push({ ...dropped, answer: "drop" });
  expect(await lease()).toBe("unknown");
  faults.answers.length = 0;
  const [record] = state.workspaces;
  if (record === undefined) throw new Error("nothing was created");
  for (const build of record.builds) build.job = "succeeded";
  state.addBuild(record, "stop");
  expect(await lease()).toBe("lost");
  record.isDeleted = true;
  expect(await lease()).toBe("lost");
  expect(await subject.provider.leaseState("00000000-0000-4000-8000-000000000000", never)).toBe("lost");
});
