import { expect, test } from "vitest";
import { callTool, failWith, type ModelScript, say, startModelServer } from "./index.ts";

const KEY = "sk-ant-test";
const headers = { "x-api-key": KEY, "anthropic-version": "2023-06-01" };
const user = { role: "user", content: "go" };
const request = { model: "m", max_tokens: 1, stream: true, tools: [{ name: "Bash" }], messages: [user] };

async function post(url: string, body: unknown, extra: Record<string, string> = headers): Promise<Response> {
  return fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: extra,
    body: JSON.stringify(body),
  });
}

async function checkStatus(body: unknown, status: number, extra?: Record<string, string>): Promise<void> {
  await using server = await startModelServer(KEY, () => say("hello"));
  const response = await post(server.url, body, extra);
  await response.text();
  expect([response.status, server.requests.length]).toEqual([status, status === 200 ? 1 : 0]);
}

test("the server refuses requests that the real service would refuse", async () => {
  const call = { type: "tool_use", id: "t1", name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: "t1", content: "ok" };
  const called = [user, { role: "assistant", content: [call] }];
  await checkStatus(request, 200);
  await checkStatus({ ...request, messages: [...called, { role: "user", content: [result] }] }, 200);
  await checkStatus({ ...request, an_unknown_field: 1 }, 400);
  await checkStatus({ ...request, messages: [] }, 400);
  await checkStatus({ ...request, messages: [...called, user, user, { role: "user", content: [] }] }, 400);
  await checkStatus({ ...request, messages: [user, { role: "user", content: [result] }] }, 400);
  await checkStatus({ ...request, messages: [user, { role: "assistant", content: "done" }] }, 400);
  await checkStatus(request, 401, { ...headers, "x-api-key": "another" });
  await checkStatus(request, 400, { "x-api-key": KEY });
});

test("a script gets the answered calls, and its turn is streamed as events", async () => {
  const script: ModelScript = ({ toolResults }) =>
    toolResults.length === 0 ? callTool("Bash", { command: "echo 'a long enough command ✻'" }) : say("done");
  await using server = await startModelServer(KEY, script);
  const first = await (await post(server.url, request)).text();
  const data = [...first.matchAll(/^data: (.*)$/gm)].map(
    ([, json]) => JSON.parse(json ?? "") as StreamedEvent,
  );
  expect(data.map(({ type }) => type).filter((type) => type !== "content_block_delta")).toEqual([
    "message_start",
    "content_block_start",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  const json = data.map(({ delta }) => delta?.partial_json ?? "").join("");
  expect(JSON.parse(json)).toEqual({ command: "echo 'a long enough command ✻'" });
});

test("errors have the format of the real service", async () => {
  await using server = await startModelServer(KEY, () => failWith(529, "overloaded_error", "Overloaded"));
  const response = await post(server.url, request);
  expect([response.status, await response.json()]).toEqual([
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  ]);
});

interface StreamedEvent {
  type: string;
  delta?: { partial_json?: string };
}
