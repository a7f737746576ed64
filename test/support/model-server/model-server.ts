import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { z } from "zod";
import type { AssistantTurn } from "./assistant-turn.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import { encodeEvents, eventsOf } from "./event-stream.ts";
import {
  countTokensRequest,
  findConversationFault,
  type MessagesRequest,
  messagesRequest,
} from "./messages-request.ts";

/** Decides the next turn from everything said so far. Side requests without tools never reach it. */
export type ModelScript = (conversation: Conversation) => AssistantTurn;

export interface ModelServer extends AsyncDisposable {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** The accepted message requests, oldest first. */
  readonly requests: readonly MessagesRequest[];
  /** What was refused, and why: a test that expects a clean conversation asserts that this is empty. */
  readonly refusals: readonly string[];
}

const BODY_MAX_BYTES = 16 * 1024 * 1024;

/**
 * A model on a loopback port that follows a script: Anthropic's streaming Messages API, strict about what it is sent.
 * Accepts only requests that carry `apiKey`.
 */
export async function startModelServer(apiKey: string, script: ModelScript): Promise<ModelServer> {
  const requests: MessagesRequest[] = [];
  const refusals: string[] = [];
  const refuse = (response: ServerResponse, status: number, type: string, message: string): void => {
    refusals.push(message);
    sendError(response, status, type, message);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = `${request.method} ${new URL(request.url ?? "/", "http://loopback").pathname}`;
    if (route === "HEAD /") return void response.writeHead(200).end();
    if (route !== "POST /v1/messages" && route !== "POST /v1/messages/count_tokens")
      return refuse(response, 404, "not_found_error", `no such route: ${route}`);
    if (!isAuthorised(request, apiKey))
      return refuse(response, 401, "authentication_error", "invalid x-api-key");
    if (request.headers["anthropic-version"] === undefined)
      return refuse(response, 400, "invalid_request_error", "anthropic-version: header is required");
    const body = await readJson(request);
    if (route.endsWith("count_tokens")) {
      const counted = countTokensRequest.safeParse(body);
      if (!counted.success) return refuse(response, 400, "invalid_request_error", describe(counted.error));
      return sendJson(response, 200, { input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
    }
    const parsed = messagesRequest.safeParse(body);
    if (!parsed.success) return refuse(response, 400, "invalid_request_error", describe(parsed.error));
    const fault = findConversationFault(parsed.data);
    if (fault !== null) return refuse(response, 400, "invalid_request_error", fault);
    requests.push(parsed.data);
    sendTurn(response, nextTurn(script, parsed.data), parsed.data.model, requests.length);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      refuse(response, 400, "invalid_request_error", `unreadable request: ${String(error)}`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refusals,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function nextTurn(script: ModelScript, request: MessagesRequest): AssistantTurn {
  const conversation = readConversation(request);
  if (conversation.tools.length > 0) return script(conversation);
  return {
    type: "message",
    blocks: [{ type: "text", text: "ok" }],
    usage: { inputTokens: 1, outputTokens: 1 },
  };
}

function sendTurn(response: ServerResponse, turn: AssistantTurn, model: string, serial: number): void {
  switch (turn.type) {
    case "message":
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      response.end(encodeEvents(eventsOf(turn, model, serial)));
      return;
    case "error":
      return sendError(response, turn.status, turn.errorType, turn.message);
    case "hang":
      return;
  }
}

function isAuthorised(request: IncomingMessage, apiKey: string): boolean {
  const { "x-api-key": key, authorization } = request.headers;
  return key === apiKey || authorization === `Bearer ${apiKey}`;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > BODY_MAX_BYTES) throw new Error(`body over ${BODY_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function describe(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { type: "error", error: { type, message } });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
