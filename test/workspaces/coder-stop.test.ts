import { expect, test } from "vitest";
import type { CoderTimings } from "../../src/workspaces/index.ts";
import {
  type CoderFaults,
  type CoderStandIn,
  created,
  deployment,
  never,
  request,
} from "../support/coder/index.ts";
import { latestBuild } from "../support/coder/stand-in-state.ts";

const buildPath = /^\/workspaces\/[^/]+\/builds$/;
type AnswerFault = CoderFaults["answers"][number];
const fault = (change: Pick<AnswerFault, "effect" | "answer">): Partial<CoderFaults> => ({
  answers: [{ method: "POST", path: buildPath, times: 1, ...change }],
});

interface Case {
  faults?: Partial<CoderFaults>;
  timings?: Partial<CoderTimings>;
  arrange?: (standIn: CoderStandIn, id: string) => void;
  expected: "stopped" | RegExp;
}

const cases: Record<string, Case> = {
  "stops when the answer to the stop build is lost": {
    faults: fault({ effect: "after", answer: "drop" }),
    expected: "stopped",
  },
  "stops when the stop build is refused once by a gateway": {
    faults: fault({ effect: "before", answer: { status: 502, html: "<h1>Bad Gateway</h1>" } }),
    expected: "stopped",
  },
  "stops when another build is active": {
    faults: fault({
      effect: "before",
      answer: { status: 409, body: { message: "A workspace build is already active." } },
    }),
    expected: "stopped",
  },
  "stops when a stop build fails once": { faults: { failingStops: 1 }, expected: "stopped" },
  "takes a stop by somebody else for its own": {
    arrange: ({ state }, id) => {
      const workspace = state.workspaces.find((each) => each.id === id);
      if (workspace !== undefined) state.addBuild(workspace, "stop");
    },
    expected: "stopped",
  },
  "gives up when the template cannot stop its machines": {
    faults: { failingStops: 99 },
    expected: /the stop build ended failed: terraform apply/,
  },
  "gives up when somebody else has deleted the Coder workspace": {
    arrange: ({ state }, id) => {
      const workspace = state.workspaces.find((each) => each.id === id);
      if (workspace !== undefined) workspace.isDeleted = true;
    },
    expected: /it was deleted by somebody else/,
  },
  "gives up when the stop takes longer than its limit": {
    timings: { stopLimitMs: 30 },
    arrange: ({ state }) => {
      state.timings.stopMs = 60_000;
    },
    expected: /last seen: /,
  },
};

test.each(Object.entries(cases))("Coder: %s (V1)", async (_, each) => {
  const { faults = {}, timings = {}, arrange, expected } = each;
  await using subject = await deployment({}, { timings });
  const { provider, standIn } = subject;
  const workspace = await created(provider);
  await workspace.ready(never, () => {});
  Object.assign(standIn.faults, faults);
  arrange?.(standIn, workspace.id);
  const result = await provider.stop(workspace, never);
  if (expected === "stopped") {
    expect(result).toEqual({ type: "stopped", isProven: true });
    const record = standIn.state.workspaces.find(({ id }) => id === workspace.id);
    expect(record === undefined ? null : latestBuild(record)).toMatchObject({
      transition: "stop",
      job: "succeeded",
    });
    return;
  }
  expect(result).toMatchObject({
    type: "not-stopped",
    error: { code: "WORKSPACE_NOT_STOPPED", message: expect.stringMatching(expected) as string },
  });
});

test("a Coder workspace that others stop is a lost lock, and one that we stopped is still held (V1, O13)", async () => {
  await using subject = await deployment();
  const { provider, standIn } = subject;
  const [ours, theirs] = [
    await created(provider),
    await created(provider, request("product-triage-143", { issueKey: "octo/product#143" })),
  ];
  await provider.stop(ours, never);
  const record = standIn.state.workspaces.find(({ id }) => id === theirs.id);
  if (record !== undefined) standIn.state.addBuild(record, "stop");
  expect(await provider.leaseState(ours.id, never)).toBe("held");
  expect(await provider.leaseState(theirs.id, never)).toBe("lost");
});
