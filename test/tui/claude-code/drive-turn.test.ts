import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { type ClaudeCodeTurnEnd, driveClaudeCodeTurn, type TurnTimings } from "../../../src/tui/index.ts";
import { shellQuote } from "../../../src/workspaces/index.ts";
import { type LocalTriage, openLocalTriage } from "../../claude/local-triage.ts";

const IMITATION = join(import.meta.dirname, "imitation-claude.mjs");

const timings: TurnTimings = {
  settleMs: 200,
  inputLostAfterMs: 1_500,
  blockedAfterMs: 10_000,
  askAgainAfterMs: 500,
  noResultAfterMs: 10_000,
};

async function drive(
  scenario: string,
  triage: LocalTriage,
  { timeoutMs = 20_000, signal = new AbortController().signal } = {},
): Promise<ClaudeCodeTurnEnd> {
  const { session, workspace, files } = triage;
  const argv = [process.execPath, IMITATION, scenario, files.outcome];
  return driveClaudeCodeTurn({
    session,
    commandLine: argv.map(shellQuote).join(" "),
    prompt: "Read the prompt file and follow it.",
    hasResult: async () => {
      const look = await workspace.exec(`[ -f ${shellQuote(files.outcome)} ]`, { timeoutMs: 10_000 });
      return look.type === "exited" && look.exitCode === 0;
    },
    timeoutMs,
    signal,
    clock: systemClock,
    timings,
  });
}

async function check(scenario: string, expected: Partial<ClaudeCodeTurnEnd>): Promise<void> {
  await using triage = await openLocalTriage();
  expect(await drive(scenario, triage)).toMatchObject(expected);
}

test.concurrent("C4: a Turn goes from the shell's prompt through trust, prompt, permission and result back to it", async () => {
  await check("whole", { type: "exited", exitCode: 0, failure: null });
});

test.concurrent("a submit that was lost is repeated", async () => {
  await check("lost-submit", { type: "exited", exitCode: 0, failure: null });
});

test.concurrent("a Turn that failed ends with the error and without a result", async () => {
  await check("no-result", { type: "exited", exitCode: 0, failure: "API Error: 500" });
});

test.concurrent("the program's own end is the end, whatever its last screen shows", async () => {
  await check("crash", { type: "exited", exitCode: 7 });
});

test.concurrent("C4: a log-in screen blocks, with the screen as evidence", async () => {
  await check("login", {
    type: "blocked",
    visibleText: expect.stringContaining("Select login method") as string,
  });
});

test.concurrent("A16: the time limit leaves the program running and gives the screen", async () => {
  await using triage = await openLocalTriage();
  const end = await drive("endless", triage, { timeoutMs: 5_000 });
  expect(end).toMatchObject({ type: "timed-out", visibleText: expect.stringContaining("❯ Read") as string });
});

test.concurrent("A16: a stop and the end of the Session are two different ends", async () => {
  await using triage = await openLocalTriage();
  const stopped = drive("whole", triage, { signal: AbortSignal.abort(new Error("stopped")) });
  await expect(stopped).rejects.toThrow("stopped");

  const ended = drive("whole", triage);
  const trust = await triage.session.wait({ text: "trust this folder" }, { callerTimeoutMs: 10_000 });
  expect(trust).toMatchObject({ type: "matched" });
  await triage.session.destroy({ force: true });
  expect(await ended).toMatchObject({ type: "interrupted" });
});
