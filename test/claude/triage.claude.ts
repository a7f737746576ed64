import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  type ClaudeCodeOptions,
  createClaudeCodePrintAgent,
  createClaudeCodeTuiAgent,
  type Outcome,
  outcomeSchema,
  type TriageAgent,
} from "../../src/triage/index.ts";
import { recogniseTool, TURN_TIMINGS } from "../../src/tui/index.ts";
import { readWorkspaceFile } from "../../src/workspaces/index.ts";
import {
  callTool,
  failWith,
  type ModelScript,
  say,
  startModelServer,
  stream,
  TURN_USAGE,
} from "../support/model-server/index.ts";
import { type LocalTriage, openLocalTriage } from "./local-triage.ts";

// These tests drive the real Claude Code. `npm run test:claude` installs it and runs them.

const API_KEY = "sk-ant-api03-a-key-that-must-show-nowhere-0123456789";
const PROMPT = "Triage the issue whose file $AFK_TRIAGE_ISSUE_FILE names; write $AFK_TRIAGE_OUTCOME_FILE.\n";
const CANARY = "CHECKOUT-CANARY";

/** A model that does a whole triage: each step follows from the result of the step before. */
function triager(triage: LocalTriage, { asksPermission }: { asksPermission: boolean }): ModelScript {
  const { files } = triage;
  return ({ userText, toolResults }) => {
    const latest = toolResults.at(-1);
    if (latest === undefined) {
      if (!userText.includes(files.prompt) && !userText.includes(PROMPT.trim()))
        return say("I see no prompt.");
      return callTool("Read", { file_path: files.prompt });
    }
    if (latest.isError) return say(`A tool failed: ${latest.text}`);
    if (latest.text.includes("AFK_TRIAGE_ISSUE_FILE"))
      return callTool("Bash", { command: 'cat "$AFK_TRIAGE_ISSUE_FILE"', description: "Read the issue" });
    if (latest.text.includes("crashes without input"))
      return callTool("Bash", { command: "node repro.js 2>&1 | grep TypeError", description: "Run it" });
    if (latest.text.includes("TypeError") && asksPermission)
      // The allowed tools do not cover this path, because Claude Code itself protects .git.
      return callTool("Write", { file_path: `${files.checkout}/.git/hooks/note`, content: "tried" });
    if (latest.input["file_path"] === files.outcome) return say("The outcome is written.");
    return callTool("Write", { file_path: files.outcome, content: JSON.stringify(outcome) });
  };
}

const outcome: Outcome = {
  schema: "afk-triage/outcome@2",
  security: { level: "none", kind: null },
  issue: 7,
  category: "bug",
  outcome: "ready-for-agent",
  confidence: "high",
  summary: "It crashes without input.",
  established: ["node repro.js fails with a TypeError"],
  questions: [],
  brief: {
    currentBehavior: "TypeError",
    desiredBehavior: "A message",
    keyInterfaces: [],
    acceptanceCriteria: ["no TypeError"],
    outOfScope: [],
  },
  reproduction: {
    attempted: true,
    reproduced: true,
    script: "#!/bin/sh\nnode repro.js\n",
    expect: { exitCode: 1, outputContains: "TypeError" },
    expected: "a message",
    actual: "TypeError",
    environment: "node",
  },
  wontfix: null,
  duplicateOf: null,
};

/** Fills the checkout with every file that could configure the Triage Agent (S12). */
async function fillCheckout({ files, write }: LocalTriage): Promise<void> {
  const { checkout } = files;
  const hook = { hooks: [{ type: "command", command: `touch ${checkout}/${CANARY}` }] };
  const settings = JSON.stringify({
    hooks: { SessionStart: [hook], PreToolUse: [{ matcher: "*", ...hook }] },
    permissions: { deny: ["Bash", "Write"] },
    enableAllProjectMcpServers: true,
  });
  const server = { command: "touch", args: [`${checkout}/${CANARY}`] };
  await write(files.issue, JSON.stringify({ number: 7, title: "It crashes without input" }));
  await write(files.prompt, PROMPT);
  await write(`${checkout}/repro.js`, "undefined.input;\n");
  await write(`${checkout}/CLAUDE.md`, CANARY);
  await write(`${checkout}/.claude/settings.json`, settings);
  await write(`${checkout}/.claude/settings.local.json`, settings);
  await write(`${checkout}/.claude/skills/evil/SKILL.md`, `---\nname: evil\ndescription: ${CANARY}\n---\n`);
  await write(`${checkout}/.mcp.json`, JSON.stringify({ mcpServers: { evil: server } }));
}

function optionsFor(url: string): ClaudeCodeOptions {
  const program = process.env["AFK_TEST_CLAUDE_PROGRAM"];
  if (program === undefined) throw new Error("run these tests with `npm run test:claude`");
  const environment = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: API_KEY };
  return { program, model: null, maxUsd: null, tokenLimit: null, environment };
}

async function checkOutcome({ workspace, files }: LocalTriage): Promise<void> {
  const file = await readWorkspaceFile(
    workspace,
    files.outcome,
    { maxBytes: 100_000 },
    AbortSignal.timeout(10_000),
  );
  if (file.type !== "content") throw new Error(`the outcome file is ${file.type}`);
  expect(outcomeSchema.parse(JSON.parse(Buffer.from(file.bytes).toString("utf8")))).toEqual(outcome);
}

/**
 * Checks what must hold after every end: the Session is usable, the checkout has configured nothing, and no artifact contains the
 * key.
 */
async function checkLeftBehind(
  { session, files, workspace }: LocalTriage,
  requests: readonly unknown[],
): Promise<void> {
  expect(await session.run("true", { callerTimeoutMs: 10_000 })).toMatchObject({
    type: "completed",
    exitCode: 0,
  });
  expect(await workspace.exec(`ls ${files.checkout}/${CANARY}`, { timeoutMs: 10_000 })).not.toMatchObject({
    exitCode: 0,
  });
  expect(JSON.stringify(requests)).not.toContain(CANARY);
  const recorded = await Promise.all(
    ["events.jsonl", "output.bin"].map((name) => readFile(join(session.directory, name), "latin1")),
  );
  expect(recorded.join("")).not.toContain(API_KEY);
}

test("Claude Code in print mode does a whole triage (A30, S8, S12)", async () => {
  await using triage = await openLocalTriage();
  await fillCheckout(triage);
  await using server = await startModelServer(API_KEY, triager(triage, { asksPermission: false }));
  const claude = agentOf("print", optionsFor(server.url));
  expect(await claude.preflight(triage.context({ remainingMs: 30_000 }))).toBeNull();

  const end = await claude.run(triage.context({ remainingMs: 60_000 }));

  const turns = server.requests.length;
  const usage = {
    inputTokens: turns * TURN_USAGE.inputTokens,
    outputTokens: turns * TURN_USAGE.outputTokens,
  };
  expect(end).toMatchObject({ type: "finished", exitCode: 0, usage });
  expect(end.usage.usd).toBeGreaterThan(0);
  expect(server.refusals).toEqual([]);
  await checkOutcome(triage);
  await checkLeftBehind(triage, server.requests);
});

test("Claude Code's TUI does a whole triage, and its dialogs are answered (A30, S8, S12)", async () => {
  await using triage = await openLocalTriage();
  await fillCheckout(triage);
  await using server = await startModelServer(API_KEY, triager(triage, { asksPermission: true }));
  const claude = createClaudeCodeTuiAgent(optionsFor(server.url), {
    clock: systemClock,
    timings: TURN_TIMINGS,
  });
  const activities = heard();
  const shown = ["trust this folder", "Do you want to use this API key", "Do you want to create note"].map(
    (text) => triage.session.wait({ text }, { callerTimeoutMs: 60_000 }),
  );

  const end = await claude.run(triage.context({ remainingMs: 90_000, signalActivity: activities.hear }));

  expect(activities.all).toEqual(["waiting_input", "idle", "active", "waiting_input", "active", "idle"]);
  const tool = await recogniseTool(triage.home, triage.session.id, { tool: null, observedVersion: null });
  expect(tool).toEqual({ tool: "claude", observedVersion: expect.stringMatching(/^2\./) as string });
  const turns = server.requests.filter(({ tools = [] }) => tools.length > 0).length;
  const usage = {
    inputTokens: turns * TURN_USAGE.inputTokens,
    outputTokens: turns * TURN_USAGE.outputTokens,
  };
  expect(end).toMatchObject({ type: "finished", exitCode: 0, usage });
  expect(await Promise.all(shown)).toMatchObject(shown.map(() => ({ type: "matched" })));
  expect(server.refusals).toEqual([]);
  await checkOutcome(triage);
  await checkLeftBehind(triage, server.requests);
});

/** Collects the activity reports to the run owner, without consecutive duplicates. */
function heard(): { all: string[]; hear: (activity: string) => void } {
  const all: string[] = [];
  return { all, hear: (activity) => void (activity !== all.at(-1) && all.push(activity)) };
}

const quick = { clock: systemClock, timings: { ...TURN_TIMINGS, remindAfterMs: 3_000 } };

test("an overloaded model and a long silence count as work; the reminder for a missing outcome is sent once (C5, C14, H25)", async () => {
  await using triage = await openLocalTriage();
  await fillCheckout(triage);
  const activities = heard();
  let calls = 0;
  await using server = await startModelServer(API_KEY, ({ tools, userText }) => {
    if (tools.length === 0) return say("A title");
    calls += 1;
    if (calls === 1) return failWith(529, "overloaded_error", "Overloaded");
    if (!userText.includes("is missing"))
      return stream(
        { type: "text", text: "First I look.\n\nThen I think about it.\n\n", everyMs: 200 },
        { type: "silence", durationMs: 12_000 },
        { type: "text", text: "It is all clear to me now.", everyMs: 200 },
      );
    const isWritten = calls > 3;
    const content = JSON.stringify(outcome);
    return isWritten ? say("Written.") : callTool("Write", { file_path: triage.files.outcome, content });
  });
  const claude = createClaudeCodeTuiAgent(optionsFor(server.url), quick);
  const callsAtReports: number[] = [];
  const reportFinal = (): void => void callsAtReports.push(calls);
  const end = await claude.run(
    triage.context({ remainingMs: 100_000, signalActivity: activities.hear, reportFinal }),
  );
  expect(end).toMatchObject({ type: "finished", exitCode: 0 });
  // The first Turn left no outcome, so its end is not reported as final.
  expect(new Set(callsAtReports)).toEqual(new Set([4]));
  expect([calls, activities.all]).toEqual([4, ["waiting_input", "idle", "active", "idle", "active", "idle"]]);
  await checkOutcome(triage);
});

test("a Turn interrupted by a person is reported as interrupted, and gets the outcome reminder (H31)", async () => {
  await using triage = await openLocalTriage();
  await fillCheckout(triage);
  const { session, files } = triage;
  let calls = 0;
  await using server = await startModelServer(API_KEY, ({ tools }) => {
    if (tools.length === 0) return say("A title");
    calls += 1;
    if (calls === 1)
      return stream(
        { type: "text", text: "First I look at it for long.\n\n", everyMs: 200 },
        { type: "silence", durationMs: 60_000 },
      );
    const content = JSON.stringify(outcome);
    return calls > 2 ? say("Written.") : callTool("Write", { file_path: files.outcome, content });
  });
  const claude = createClaudeCodeTuiAgent(optionsFor(server.url), quick);
  const running = claude.run(triage.context({ remainingMs: 100_000 }));
  await session.wait({ text: "look at it for long" }, { callerTimeoutMs: 60_000 });
  await session.sendKeys(["Escape"]);
  await session.wait({ text: "What should Claude do instead?" }, { callerTimeoutMs: 20_000 });
  expect(await running).toMatchObject({ type: "finished", exitCode: 0 });
  expect(calls).toBe(3);
  await checkOutcome(triage);
});

test("a run with a model that never answers ends at the deadline, in both modes, and leaves the Session usable", async () => {
  for (const mode of modes) {
    await using triage = await openLocalTriage();
    await fillCheckout(triage);
    await using server = await startModelServer(API_KEY, () => ({ type: "hang" }));
    const end = await agentOf(mode, optionsFor(server.url)).run(triage.context({ remainingMs: 12_000 }));
    expect([mode, end.type]).toEqual([mode, "timed-out"]);
    await checkLeftBehind(triage, server.requests);
  }
});

test("a stopped run rejects with the stop's reason, in both modes, and leaves the Session usable", async () => {
  for (const mode of modes) {
    await using triage = await openLocalTriage();
    await fillCheckout(triage);
    const stop = new AbortController();
    await using server = await startModelServer(API_KEY, () => {
      stop.abort(new Error("stopped by a person"));
      return { type: "hang" };
    });
    const context = triage.context({ remainingMs: 60_000, signal: stop.signal });
    await expect(agentOf(mode, optionsFor(server.url)).run(context)).rejects.toThrow("stopped by a person");
    await checkLeftBehind(triage, server.requests);
  }
});

test("a refused credential is reported, in both modes", async () => {
  for (const mode of modes) {
    await using triage = await openLocalTriage();
    await fillCheckout(triage);
    await using server = await startModelServer("another key", () => say("unreachable"));
    const options = optionsFor(server.url);
    const impatient = { ...options, environment: { ...options.environment, CLAUDE_CODE_MAX_RETRIES: "1" } };
    const end = await agentOf(mode, impatient).run(triage.context({ remainingMs: 60_000 }));
    expect(end).toMatchObject({ type: "finished", problem: expect.stringMatching(/API|key/i) as string });
    await checkLeftBehind(triage, server.requests);
  }
});

const modes = ["print", "tui"] as const;

function agentOf(mode: (typeof modes)[number], options: ClaudeCodeOptions): TriageAgent {
  return mode === "print"
    ? createClaudeCodePrintAgent(options)
    : createClaudeCodeTuiAgent(options, { clock: systemClock, timings: TURN_TIMINGS });
}
