import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shellQuote } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import { type BatchSummary, createCommandAgent, type TriageAgent } from "../../../src/triage/index.ts";
import type { CoderProviderOptions } from "../../../src/workspaces/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, question } from "../../support/batch/in-process-agent.ts";
import { processesNaming } from "../../support/batch/processes.ts";
import {
  type CoderStandIn,
  connect,
  HAS_TMUX,
  startCoderStandIn,
  terminalRelay,
} from "../../support/coder/index.ts";
import { outcomeWith, reproduction } from "../facts.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, maxConcurrency: 3 });

test.skipIf(!HAS_TMUX)(
  "a Triage Agent held by tmux survives lost connections, and nothing is duplicated (coder failure 17, T12)",
  { concurrent: true },
  async () => {
    await using stage = await openStage({ terminalRelay: terminalRelay() });
    const work = stage.run(stage.slowAgent());
    for (const ticks of [3, 9, 15]) {
      await stage.ticked(ticks);
      stage.standIn.dropSessions();
    }
    await stage.finish();
    expect(lines(await work)).toEqual(["applied needs-triage"]);
    expect(await stage.starts()).toBe(1);
    expect(stage.batch.warnings()).toEqual([]);
    expect(
      await stage.batch.github.reader.comments({ repo: stage.batch.github.repo, number: 1 }, never),
    ).toHaveLength(1);
    expect(stage.standIn.liveNames()).toEqual([]);
  },
);

test.concurrent("without a multiplexer, a lost connection causes one clean retry in the same Coder workspace (coder failure 17, T12)", async () => {
  await using stage = await openStage();
  const slow = stage.slowAgent();
  const usage = { inputTokens: 10, outputTokens: 5, usd: 1 };
  const work = stage.run({ ...slow, run: async (context) => ({ ...(await slow.run(context)), usage }) });
  await stage.ticked(3);
  stage.standIn.dropSessions();
  await until(async () => (await stage.starts()) === 2);
  await stage.finish();
  const summary = await work;
  expect(lines(summary)).toEqual(["applied needs-triage"]);
  expect(summary.issues[0]?.usage).toEqual({ inputTokens: 20, outputTokens: 10, usd: 2 });
  expect(await stage.starts()).toBe(2);
  expect(stage.batch.warnings()).toEqual([expect.stringContaining("begins again")]);
  expect(stage.standIn.state.workspaces).toHaveLength(1);
});

test.concurrent("a second lost connection ends the Triage Run, and nothing is published (coder failure 17, T12)", async () => {
  await using stage = await openStage();
  const work = stage.run(stage.slowAgent());
  await stage.ticked(3);
  stage.standIn.dropSessions();
  await until(async () => (await stage.starts()) === 2);
  stage.standIn.dropSessions();
  expect(lines(await work)).toEqual(["failed triage-agent-lost"]);
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("after a connection is lost during a verification, the verification begins again without a second Triage Agent (T12, coder failure 17)", async () => {
  await using stage = await openStage();
  // A run cannot count earlier runs in a file, because each has files of its own. But a repeated verification has another
  // directory.
  const hanging = `case "$PWD" in */verify/run) sh -c 'sleep 1000; :' '${stage.ticks}' ;; esac`;
  const script = `#!/bin/sh\n${hanging}\nnode -e 'import("./widget.mjs").then(({ first }) => first([]))'\n`;
  const outcome = outcomeWith({ issue: 1, reproduction: { ...reproduction, script } });
  const propose = `${stage.start}; printf %s ${shellQuote(JSON.stringify(outcome))} >"$AFK_TRIAGE_OUTCOME_FILE"`;
  const work = stage.run(createCommandAgent({ command: ["bash", "-c", propose], environment: {} }));
  await until(async () =>
    (await processesNaming(stage.ticks)).some((line) => /^\d+: sh -c sleep/.test(line)),
  );
  stage.standIn.dropSessions();
  const summary = await work;
  expect(summary.issues).toMatchObject([{ status: "applied", outcome: "ready-for-agent" }]);
  expect(await stage.starts()).toBe(1);
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent.each(["stop", "delete"] as const)(
  "when others %s the Coder workspace, the run fails without a restart or retry, and no Coder workspace is left (coder failure 18)",
  async (transition) => {
    await using stage = await openStage();
    const work = stage.run(stage.slowAgent());
    await stage.ticked(3);
    const [record] = stage.standIn.state.workspaces;
    if (record === undefined) throw new Error("nothing was created");
    stage.standIn.state.addBuild(record, transition);
    stage.standIn.dropSessions();
    expect(lines(await work)).toEqual(["failed workspace-lost"]);
    expect(stage.standIn.liveNames()).toEqual([]);
    expect(record.builds.map((build) => build.transition)).toEqual([
      "start",
      transition,
      ...(transition === "stop" ? ["delete"] : []),
    ]);
    expect(stage.standIn.state.workspaces).toHaveLength(1);
  },
);

test.concurrent("an exhausted quota requeues the issue, and no further issue is started (coder failure 4)", async () => {
  await using stage = await openStage({}, 3);
  stage.standIn.faults.startBuild = "quota";
  expect(lines(await stage.run(askingAgent()))).toEqual([
    "requeued workspace-quota",
    "skipped workspace-quota",
    "skipped workspace-quota",
  ]);
  expect(stage.standIn.state.workspaces).toHaveLength(1);
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("a Coder workspace agent that never connects gets one fresh Coder workspace (coder failure 14)", async () => {
  await using stage = await openStage({ timings: { connectMarginMs: -119_950 } });
  stage.standIn.faults.startup = "never-connects";
  stage.onWarning = () => (stage.standIn.faults.startup = "ready");
  expect(lines(await stage.run(askingAgent()))).toEqual(["applied needs-triage"]);
  expect(stage.batch.warnings()).toEqual([expect.stringContaining("is replaced")]);
  expect(stage.standIn.state.workspaces).toHaveLength(2);
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("a build that fails because of the infrastructure gets one fresh Coder workspace (coder failure 11)", async () => {
  await using stage = await openStage();
  Object.assign(stage.standIn.faults, {
    startBuild: "fails",
    buildError: "Error: dial tcp 10.0.0.1:443: i/o timeout",
  });
  stage.onWarning = () => (stage.standIn.faults.startBuild = "succeeds");
  expect(lines(await stage.run(askingAgent()))).toEqual(["applied needs-triage"]);
  expect(stage.batch.warnings()).toEqual([expect.stringContaining("i/o timeout")]);
  expect(stage.standIn.liveNames()).toEqual([]);
});

test.concurrent("a second failed start fails the run; a template's own error is not retried (coder failure 14, coder failure 11)", async () => {
  await using stage = await openStage({ timings: { connectMarginMs: -119_950 } });
  stage.standIn.faults.startup = "never-connects";
  expect(lines(await stage.run(askingAgent()))).toEqual(["failed workspace-agent-unreachable"]);
  expect(stage.standIn.state.workspaces).toHaveLength(2);
  stage.standIn.faults.startBuild = "fails";
  expect(lines(await stage.run(askingAgent()))).toEqual(["failed workspace-build-failed"]);
  expect(stage.standIn.state.workspaces).toHaveLength(3);
});

test.concurrent("after a logout during the batch, admission stops at the first run that notices it, and the summary names what is left behind (coder failure 7)", async () => {
  await using stage = await openStage({}, 3);
  let old = "";
  const agent = askingAgent(() => {
    old = stage.standIn.token;
    stage.standIn.rotateToken();
  });
  const summary = await stage.run(agent);
  expect(lines(summary)).toEqual([
    "failed workspace-stranded",
    "failed coder-logged-out",
    "skipped coder-logged-out",
  ]);
  expect(summary.stranded).toMatchObject([{ name: "widgets-triage-1" }]);
  expect(old).not.toBe("");
  expect(JSON.stringify(summary)).not.toContain(old);
});

test.concurrent("a parent whose Coder workspace was reaped at the last moment writes nothing, and leaves its successor of the same name alone (T4, T11)", async () => {
  await using stage = await openStage();
  const { standIn } = stage;
  const provider = connect(standIn);
  const other = connect(standIn);
  const name = "widgets-triage-1";
  const lease = { runId: "20260102T030405Z", issueKey: "octo/widgets#1", parent: "elsewhere/1/boot.1.1" };
  const summary = await stage.batch.run({
    ports: {
      triageAgent: askingAgent(),
      provider: {
        ...provider,
        // This is the last request before the first write.
        leaseState: async (id, signal) => {
          await other.destroy({ id, name }, never);
          expect(await other.create({ name, lease }, never)).toMatchObject({ type: "created" });
          return provider.leaseState(id, signal);
        },
      },
    },
  });
  expect(lines(summary)).toEqual(["requeued lease-lost"]);
  const writes = new Set<string>(["publishComment", "addLabels", "removeLabel", "closeIssue"]);
  expect(stage.batch.github.calls.filter(({ operation }) => writes.has(operation))).toEqual([]);
  expect(await other.list("widgets-triage", never)).toMatchObject([{ name, lease }]);
});

const never = new AbortController().signal;

const lines = ({ issues }: BatchSummary): string[] =>
  issues.map(({ status, reason }) => `${status} ${reason}`);

interface Stage extends AsyncDisposable {
  batch: BatchStage;
  standIn: CoderStandIn;
  onWarning: () => void;
  run: (triageAgent: TriageAgent) => Promise<BatchSummary>;
  /** Returns a Triage Agent that works until `finish` is called, then asks the reporter. */
  slowAgent: () => TriageAgent;
  finish: () => Promise<void>;
  /** A file that grows by a line with every tick. */
  ticks: string;
  /** A bash command that counts a start of a Triage Agent. */
  start: string;
  /** Returns how often a Triage Agent that runs `start` was started. */
  starts: () => Promise<number>;
  /** Resolves once slow Triage Agents have worked for `ticks` twentieths of a second. */
  ticked: (ticks: number) => Promise<void>;
}

async function openStage(options: Partial<CoderProviderOptions> = {}, issues = 1): Promise<Stage> {
  const batch = await openBatchStage();
  const standIn = await startCoderStandIn();
  for (let number = 1; number <= issues; number += 1)
    await batch.github.createIssue({ title: `issue ${number}`, labels: ["needs-triage"] });
  const at = (name: string): string => join(batch.directory, name);
  const [starts, ticks, finish] = [at("starts"), at("ticks"), at("finish")];
  const linesOf = async (path: string): Promise<number> =>
    (await readFile(path, "utf8").catch(() => "")).split("\n").length - 1;
  const stage: Stage = {
    batch,
    standIn,
    onWarning: () => undefined,
    ticks,
    start: `echo $$ >>'${starts}'`,
    run: (triageAgent) =>
      batch.run({
        settings: { parallelism: 1 },
        ports: {
          triageAgent,
          provider: connect(standIn, options),
          observe: (event) => {
            batch.events.push(event);
            if (event.type === "warning") stage.onWarning();
          },
        },
      }),
    slowAgent: () => {
      const work = `until [ -e '${finish}' ]; do sleep 0.05; echo tick >>'${ticks}'; echo tick; done`;
      const outcome = `printf %s '${JSON.stringify(question(1))}' >"$AFK_TRIAGE_OUTCOME_FILE"`;
      const script = `${stage.start}; ${work}; ${outcome}`;
      return createCommandAgent({ command: ["bash", "-c", script], environment: {} });
    },
    finish: () => writeFile(finish, ""),
    starts: () => linesOf(starts),
    ticked: (count) => until(async () => (await linesOf(ticks)) >= count),
    [Symbol.asyncDispose]: async () => {
      await standIn[Symbol.asyncDispose]();
      await batch[Symbol.asyncDispose]();
    },
  };
  return stage;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(isTrue, { timeout: 120_000, interval: 20 });
}
