import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { systemClock } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import {
  type ClaudeCodeOptions,
  createClaudeCodePrintAgent,
  createCommandAgent,
  noUsage,
  type TriageAgent,
  type TriageAgentContext,
  type TriageAgentEnd,
} from "../../src/triage/index.ts";
import { readWorkspaceFile } from "../../src/workspaces/index.ts";
import { type LocalTriage, openLocalTriage } from "../claude/local-triage.ts";
import { expiringClock } from "../support/batch/expiring-clock.ts";
import { poll } from "../support/batch/poll.ts";

// Real Sessions run concurrently, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

function commandAgent(script: string, environment: Record<string, string> = {}): TriageAgent {
  return createCommandAgent({ command: ["bash", "-c", script], environment });
}

/** Runs a Triage Agent as a batch does: after its preflight. */
async function runOf(agent: TriageAgent, context: TriageAgentContext): Promise<TriageAgentEnd> {
  expect(await agent.preflight(context)).toBeNull();
  return agent.run(context);
}

async function checkUsable({ session }: LocalTriage): Promise<void> {
  expect(
    await session.run("exit_code() { return 7; }; exit_code", { callerTimeoutMs: 10_000 }),
  ).toMatchObject({
    type: "completed",
    exitCode: 7,
  });
}

async function checkEnd(argument: string, exitCode: number): Promise<void> {
  await using triage = await openLocalTriage();
  const script = `[ "$(basename "$PWD")" = checkout ] && [ "$1" = "$SAME" ] && exit ${exitCode}; exit 99`;
  const agent = createCommandAgent({
    command: ["bash", "-c", script, "name", argument],
    environment: { SAME: argument },
  });
  const end = await runOf(agent, triage.context({ remainingMs: 20_000 }));
  expect(end).toEqual({ type: "finished", exitCode, usage: noUsage } satisfies TriageAgentEnd);
  await checkUsable(triage);
}

test.concurrent("a command gets its argv unchanged, runs in the checkout, and its exit code is returned (A30)", async () => {
  await checkEnd("plain", 0);
  await checkEnd("a\"b$c`d 'e' \\f; exit 1 # $(touch g)", 3);
  await checkEnd("two\nlines\tand ünïcode ✻", 0);
});

test.concurrent("a variable of the Triage Agent is neither typed into the terminal nor left on disk (S8)", async () => {
  await using triage = await openLocalTriage();
  const agent = commandAgent('[ "$SECRET" = s3cr3t-value ]', { SECRET: "s3cr3t-value" });
  expect(await runOf(agent, triage.context({ remainingMs: 20_000 }))).toMatchObject({ exitCode: 0 });
  const { session, workspace } = triage;
  const log = await session.readOutput({ fromSeq: 1, toSeq: session.lastSeq() }, 1_000_000);
  expect(log).not.toContain("s3cr3t");
  const found = await workspace.exec(`grep -rl s3cr3t ${workspace.directory}`, { timeoutMs: 10_000 });
  expect(found).toMatchObject({ type: "exited", exitCode: 1 });
  await expect(
    runOf(commandAgent("true", { "BAD NAME": "x" }), triage.context({ remainingMs: 9_000 })),
  ).rejects.toThrow("BAD NAME");
});

test.concurrent.each(["echo begun; exec sleep 600", "trap '' INT; echo begun; while true; do sleep 1; done"])(
  "the Triage Agent is stopped at the deadline, even if it ignores Ctrl-C, and the Session stays usable: %s (A16)",
  async (script) => {
    const { clock, expire } = expiringClock();
    await using triage = await openLocalTriage(clock);
    const running = runOf(commandAgent(script), triage.context({ remainingMs: 60_000 }));
    await begun(triage);
    expire((durationMs) => durationMs > 30_000);
    expect(await running).toMatchObject({
      type: "timed-out",
      visibleText: expect.stringContaining("begun") as string,
    });
    await checkUsable(triage);
  },
);

async function begun({ session }: LocalTriage): Promise<void> {
  const wait = await session.wait({ text: "begun" }, { callerTimeoutMs: 20_000 });
  expect(wait).toMatchObject({ type: "matched" });
}

test.concurrent("a stop makes the run reject with the stop's reason, and the Session stays usable", async () => {
  await using triage = await openLocalTriage();
  const stop = new AbortController();
  const running = runOf(
    commandAgent("echo begun; exec sleep 600"),
    triage.context({ remainingMs: 60_000, signal: stop.signal }),
  );
  const rejection = running.catch((error: unknown) => error);
  await begun(triage);
  stop.abort(new Error("stopped by a person"));
  expect(await rejection).toMatchObject({ message: "stopped by a person" });
  await checkUsable(triage);
});

test.concurrent("the end of the Session is distinguished from the end of the Triage Agent (A16)", async () => {
  await using triage = await openLocalTriage();
  const end = await runOf(commandAgent("kill -KILL $PPID"), triage.context({ remainingMs: 20_000 }));
  expect(end).toMatchObject({ type: "interrupted", usage: noUsage });
});

test.concurrent("preflight names the program that is missing in the Coder workspace, and leaves no variable there (S8)", async () => {
  await using triage = await openLocalTriage();
  const preflight = (program: string): Promise<string | null> =>
    createCommandAgent({ command: [program], environment: { SECRET: "s3cr3t-value" } }).preflight(
      triage.context({ remainingMs: 20_000 }),
    );
  const { workspace } = triage;
  expect(await preflight("no-such-program")).toContain("no-such-program");
  const found = await workspace.exec(`grep -rl s3cr3t ${workspace.directory}`, { timeoutMs: 10_000 });
  expect(found).toMatchObject({ type: "exited", exitCode: 1 });
  expect(await preflight("bash")).toBeNull();
});

/** A stand-in that behaves like Claude Code: its help lists flags, and it ends only after standard input has ended. */
const standIn = (flags: string, end: string): string => `#!/usr/bin/env bash
if [ "$1" = --help ]; then echo "Options: ${flags}"; exit 0; fi
prompt=$(cat)
printf '%s\\n' "$@" >"$(dirname "$0")/argv"
printf '{"type":"assistant","message":{"id":"m1","usage":{"input_tokens":5,"output_tokens":1}}}\\n'
echo "$prompt" >"$AFK_TRIAGE_OUTCOME_FILE"
${end}
`;
const allFlags =
  "--print --verbose --output-format --no-session-persistence --safe-mode --setting-sources --strict-mcp-config " +
  "--tools --allowedTools --add-dir --permission-mode";

async function installStandIn(triage: LocalTriage, flags: string, end: string): Promise<ClaudeCodeOptions> {
  const program = `${triage.workspace.directory}/bin/claude`;
  await triage.write(program, standIn(flags, end));
  await triage.workspace.exec(`chmod +x ${program}`, { timeoutMs: 10_000 });
  return { program, model: "a-model", maxUsd: 2.5, tokenLimit: null, environment: {} };
}

test.concurrent("preflight rejects a Claude Code without a flag that the isolation needs (S12)", async () => {
  await using triage = await openLocalTriage();
  const preflight = async (flags: string): Promise<string | null> =>
    createClaudeCodePrintAgent(await installStandIn(triage, flags, "exit 0")).preflight(
      triage.context({ remainingMs: 20_000 }),
    );
  expect(await preflight(allFlags)).toBeNull();
  expect(await preflight(allFlags.replace("--safe-mode ", ""))).toContain("--safe-mode");
  expect(await preflight(allFlags.replace("--tools ", "--tools-of-another-name "))).toContain("--tools");
});

test.concurrent("print mode ends standard input after the prompt, saves the stream, reports usage and problem, and signals that it is active (A30, H5)", async () => {
  const result = {
    type: "result",
    subtype: "success",
    is_error: true,
    result: "API Error: 500",
    total_cost_usd: 0.5,
  };
  const line = JSON.stringify({ ...result, usage: { input_tokens: 9, output_tokens: 4 } });
  await using triage = await openLocalTriage();
  await triage.write(triage.files.prompt, 'the prompt\'s "text"');
  const options = await installStandIn(triage, allFlags, `echo '${line}'; exit 1`);
  const signalled: string[] = [];
  const signalActivity = (activity: string): void => void signalled.push(activity);
  const agent = createClaudeCodePrintAgent(options);
  const end = await agent.run(triage.context({ remainingMs: 20_000, signalActivity }));
  expect([agent.signalsActivity, signalled]).toEqual([true, ["active"]]);
  const usage = { inputTokens: 9, outputTokens: 4, usd: 0.5 };
  expect(end).toMatchObject({ type: "finished", exitCode: 1, problem: "API Error: 500", usage });
  expect(await textOf(triage, triage.files.outcome)).toBe('the prompt\'s "text"\n');
  const argv = (await textOf(triage, `${triage.workspace.directory}/bin/argv`)).split("\n");
  expect(argv).toEqual(
    expect.arrayContaining(["--safe-mode", "--strict-mcp-config", "dontAsk", "a-model", "2.5"]),
  );
});

test.concurrent("the Triage Agent is stopped at its token limit, and its usage is reported (T9)", async () => {
  const { clock, expire } = expiringClock();
  await using triage = await openLocalTriage(clock);
  await triage.write(triage.files.prompt, "the prompt");
  const options = await installStandIn(triage, allFlags, "sleep 1000");
  const run = (tokens: number): Promise<TriageAgentEnd> =>
    createClaudeCodePrintAgent({
      ...options,
      tokenLimit: { tokens, intervalMs: 50, clock: systemClock },
    }).run(triage.context({ remainingMs: 60_000 }));
  const usage = { inputTokens: 5, outputTokens: 1, usd: 0 };
  expect(await run(5)).toMatchObject({ type: "over-budget", usage });
  await rm(triage.files.outcome, { force: true });
  const within = run(6);
  // The stand-in prints its usage before it writes the outcome.
  await poll("the outcome", () => existsSync(triage.files.outcome));
  expire((durationMs) => durationMs > 30_000);
  expect(await within).toMatchObject({ type: "timed-out", usage });
});

test.concurrent("usage that Claude Code prints while it is stopped is counted (T9)", async () => {
  const { clock, expire } = expiringClock();
  await using triage = await openLocalTriage(clock);
  await triage.write(triage.files.prompt, "the prompt");
  const usage = { input_tokens: 70, output_tokens: 20 };
  const line = JSON.stringify({ type: "assistant", message: { id: "m2", usage } });
  const end = `stopped() { echo '${line}'; exit 130; }; trap stopped INT; : >"$(dirname "$0")/trapped"; sleep 1000`;
  const options = await installStandIn(triage, allFlags, end);
  const running = createClaudeCodePrintAgent(options).run(triage.context({ remainingMs: 60_000 }));
  await poll("the trap", () => existsSync(`${triage.workspace.directory}/bin/trapped`));
  // tee ignores the interrupt only after it has started to write.
  const stream = `${triage.files.control}/claude-code.jsonl`;
  await poll("the first line", () => (statSync(stream, { throwIfNoEntry: false })?.size ?? 0) > 0);
  expire((durationMs) => durationMs > 30_000);
  expect(await running).toMatchObject({
    type: "timed-out",
    usage: { inputTokens: 75, outputTokens: 21, usd: 0 },
  });
});

test.concurrent("usage of Claude Code that is stopped can be read after the stop, and lacks the cost (T9)", async () => {
  await using triage = await openLocalTriage();
  await triage.write(triage.files.prompt, "the prompt");
  const options = await installStandIn(triage, allFlags, "sleep 1000");
  const stop = new AbortController();
  const offered: Parameters<TriageAgentContext["offerUsage"]>[0][] = [];
  const context = triage.context({
    remainingMs: 60_000,
    signal: stop.signal,
    offerUsage: (read) => void offered.push(read),
  });
  const rejection = createClaudeCodePrintAgent(options)
    .run(context)
    .catch((error: unknown) => error);
  await poll("the outcome", () => existsSync(triage.files.outcome));
  stop.abort(new Error("stopped by a person"));
  expect(await rejection).toMatchObject({ message: "stopped by a person" });
  const told = await offered[0]?.(soon());
  expect(told).toMatchObject({ usage: { inputTokens: 5, outputTokens: 1, usd: 0 }, isCostMissing: true });
});

test.concurrent("a Claude Code that stopped itself at its cost limit is reported as over-budget (T9)", async () => {
  const line = JSON.stringify({
    type: "result",
    subtype: "error_max_budget_usd",
    is_error: true,
    total_cost_usd: 2.6,
    usage: { input_tokens: 9, output_tokens: 4 },
  });
  await using triage = await openLocalTriage();
  await triage.write(triage.files.prompt, "the prompt");
  const options = await installStandIn(triage, allFlags, `echo '${line}'; exit 1`);
  expect(
    await createClaudeCodePrintAgent(options).run(triage.context({ remainingMs: 20_000 })),
  ).toMatchObject({
    type: "over-budget",
    usage: { inputTokens: 9, outputTokens: 4, usd: 2.6 },
  });
});

async function textOf({ workspace }: LocalTriage, path: string): Promise<string> {
  const file = await readWorkspaceFile(workspace, path, { maxBytes: 100_000 }, soon());
  if (file.type !== "content") throw new Error(`${path} is ${file.type}`);
  return Buffer.from(file.bytes).toString("utf8");
}
