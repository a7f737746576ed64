import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ClaudeCodeReport, noUsage, readClaudeCodeStream } from "../../src/triage/index.ts";
import { readClaudeCodeReport } from "../../src/triage/triage-agents/claude-code-report.ts";
import type { ReadyWorkspace } from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const init = { type: "system", subtype: "init", tools: ["Bash"], a_new_field: [] };
const success = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "all done",
  total_cost_usd: 0.007,
  usage: {
    input_tokens: 700,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 3,
    output_tokens: 140,
  },
};

function assistant(id: string, outputTokens: number): unknown {
  return { type: "assistant", message: { id, usage: { input_tokens: 100, output_tokens: outputTokens } } };
}

function check(
  lines: readonly unknown[],
  expected: Pick<ClaudeCodeReport, "usage" | "problem"> & Partial<ClaudeCodeReport>,
): void {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  expect(readClaudeCodeStream(text)).toEqual({
    modelSessions: [],
    isCostMissing: false,
    ...expected,
  });
}

test("the result line is read into tokens, including cached ones, and cost (A30)", () => {
  const usage = { inputTokens: 723, outputTokens: 140, usd: 0.007 };
  check([init, assistant("m1", 1), success], { usage, problem: null });
  check(['ssage":"cut"}', "a warning", init, success, ""], { usage, problem: null });
});

test("an error result is reported in Claude Code's words", () => {
  check(
    [
      {
        ...success,
        is_error: true,
        result: "Not logged in · Please run /login",
        usage: {},
        total_cost_usd: 0,
      },
    ],
    {
      usage: noUsage,
      problem: "Not logged in · Please run /login",
    },
  );
  check([{ type: "result", subtype: "error_max_turns", is_error: false }], {
    usage: noUsage,
    problem: "error_max_turns: error_max_turns",
  });
});

test("session ids from stream and transcript are each reported once", () => {
  const [first, second] = ["7f3b0c52-0000-4000-8000-000000000001", "7f3b0c52-0000-4000-8000-000000000002"];
  const of = (id: string, key: "session_id" | "sessionId") => ({
    ...(assistant("m1", 5) as object),
    [key]: id,
  });
  const usage = { inputTokens: 100, outputTokens: 5, usd: 0 };
  const lines = [of(first, "session_id"), of(first, "session_id"), of(second, "sessionId")];
  check(lines, { usage, problem: null, modelSessions: [first, second], isCostMissing: true });
  check([{ ...success, session_id: first }], {
    usage: { inputTokens: 723, outputTokens: 140, usd: 0.007 },
    problem: null,
    modelSessions: [first],
  });
  check([of("x".repeat(65), "session_id")], { usage, problem: null, isCostMissing: true });
});

test("the usage of the messages is summed, each message once, when there is no result line, and the cost is missing (T9)", () => {
  check([init, assistant("m1", 5), assistant("m1", 5), assistant("m2", 7)], {
    usage: { inputTokens: 200, outputTokens: 12, usd: 0 },
    problem: null,
    isCostMissing: true,
  });
  check([], { usage: noUsage, problem: null });
});

test("the reader never throws, whatever bytes it reads", () => {
  const anyLine = fc.oneof(fc.string(), fc.json(), fc.constant(JSON.stringify(success).slice(0, 60)));
  fc.assert(
    fc.property(fc.array(anyLine), (lines) => {
      expect(readClaudeCodeStream(lines.join("\n")).usage.usd).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("the tokens of every message are counted, however much tools and messages print (T9)", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "stream.jsonl");
  const printed = 'a "type":"assistant" of text '.repeat(1_000);
  const messages = Array.from({ length: 300 }, (_, index): string => {
    const content = [{ type: "text", text: `],"stop_reason" ${printed}` }];
    const counted = { input_tokens: 10, output_tokens: 1 };
    const message = { id: `m${index}`, type: "message", content, stop_reason: null, usage: counted };
    const told = { type: "user", message: { content: [{ type: "tool_result", content: printed }] } };
    return `${JSON.stringify({ type: "assistant", message })}\n${JSON.stringify(told)}\n`;
  });
  await writeFile(path, messages.join(""));
  const exec: ReadyWorkspace["exec"] = (commandLine, { maxOutputBytes }) => {
    const stdout = execFileSync("bash", ["-c", commandLine], { maxBuffer: maxOutputBytes ?? 0 });
    return Promise.resolve({ type: "exited", exitCode: 0, stdout, stderr: "" });
  };
  const report = await readClaudeCodeReport({ exec } as ReadyWorkspace, `cat -- '${path}'`);
  expect(report.usage).toEqual({ inputTokens: 3_000, outputTokens: 300, usd: 0 });
});
