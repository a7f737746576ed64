import { expect, test } from "vitest";
import { type AssistantTurn, failWith, startResponsesServer, stream, type Traffic } from "./index.ts";

const KEY = "key";
const EXEC = { type: "custom", name: "exec" };

test("a turn is streamed as events of the Responses API, and its traffic is reported in order", async () => {
  const { types, traffic } = await asked(
    stream(
      { type: "thinking", text: "Hm hm", everyMs: 0 },
      { type: "text", text: "Hello you", everyMs: 0 },
      { type: "tool_use", name: "Bash", input: { command: "ls" } },
    ),
  );
  expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
  expect(types.filter((type) => type === "response.output_item.done")).toHaveLength(3);
  expect(types).toContain("response.output_text.delta");
  expect(types).toContain("response.reasoning_summary_text.delta");
  expect(traffic.map(({ type }) => type)).toEqual(["main-request", "first-byte", "tool-call", "last-byte"]);
  expect(traffic.at(-1)).toMatchObject({ stop: "tool-use" });
});

test("a broken connection and an error are reported as such, and neither ends a Turn with a last byte", async () => {
  const broken = await asked(stream({ type: "text", text: "Hello", everyMs: 0 }, { type: "disconnect" }));
  expect(broken.types).not.toContain("response.completed");
  expect(broken.traffic.at(-1)?.type).toBe("disconnected");
  const failed = await asked(failWith(429, "rate_limit_error", "slow down"));
  expect([failed.status, failed.traffic.map(({ type }) => type)]).toEqual([
    429,
    ["main-request", "error-sent"],
  ]);
});

test("a tool call has the form of the offered tools, and asks for permission first if it should", async () => {
  const check = async (
    tool: { type: string; name: string },
    asksFirst: boolean,
    expected: string[],
  ): Promise<void> => {
    const turn = stream({ type: "tool_use", name: "Bash", input: { command: "ls -l" } });
    const { text } = await asked(turn, { tool, asksFirst });
    for (const part of expected) expect(text).toContain(part);
    expect(text.includes("require_escalated")).toBe(asksFirst);
  };
  await check(EXEC, false, ["custom_tool_call", "tools.exec_command", "ls -l"]);
  await check(EXEC, true, ["custom_tool_call"]);
  await check({ type: "function", name: "exec_command" }, true, ["function_call", "exec_command"]);
  await check({ type: "function", name: "shell" }, false, ["function_call", "bash"]);
});

test("requests outside the conversation never reach the script", async () => {
  const { text, traffic } = await asked(failWith(500, "api_error", "never told"), { prompt: "make a title" });
  expect(text).toContain("A task");
  expect(traffic.map(({ type }) => type)).toEqual(["side-request"]);
});

async function asked(
  turn: AssistantTurn,
  { tool = EXEC, asksFirst = false, prompt = "go" } = {},
): Promise<{ status: number; text: string; types: string[]; traffic: Traffic[] }> {
  const traffic: Traffic[] = [];
  const script = { isMain: (texts: readonly string[]) => texts.includes("go"), turn: () => turn, asksFirst };
  await using server = await startResponsesServer(KEY, script, (one) => traffic.push(one));
  const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }];
  const response = await fetch(`${server.url}/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: "m", stream: true, input, tools: [tool] }),
  });
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // The connection broke; the data received before it counts.
  }
  expect(server.refusals).toEqual([]);
  return {
    status: response.status,
    text,
    types: [...text.matchAll(/^event: (.*)$/gm)].map(([, type = ""]) => type),
    traffic,
  };
}
