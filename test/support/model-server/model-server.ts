import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "agent-tty/kit";
import type { z } from "zod";
import type { AssistantTurn } from "./assistant-turn.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import { encodeEvents, eventsOf } from "./event-stream.ts";
import { readJson, sendJson, startLoopbackServer } from "./loopback-server.ts";
import {
  countTokensRequest,
  findConversationFault,
  type MessagesRequest,
  messagesRequest,
} from "./messages-request.ts";
import { pacedMessages } from "./paced-messages.ts";
import { sendTurn, type TurnFormat } from "./send-turn.ts";
import type { NoteTraffic, Traffic } from "./traffic.ts";

/** Decides the next turn from everything said so far. Side requests without tools never reach it. */
export type ModelScript = (conversation: Conversation) => AssistantTurn;

export interface ModelServer extends AsyncDisposable {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** The accepted message requests, oldest first. */
  readonly requests: readonly MessagesRequest[];
  /** The reasons of refused requests; a test that expects a clean conversation asserts that this is empty. */
  readonly refusals: readonly string[];
}

/**
 * Starts a scripted model on a loopback port with Anthropic's streaming Messages API, which checks requests strictly.
 * Accepts only requests that carry `apiKey`.
 */
export async function startModelServer(
  apiKey: string,
  script: ModelScript,
  onTraffic: (traffic: Traffic) => void = () => undefined,
): Promise<ModelServer> {
  const note: NoteTraffic = (traffic) => onTraffic({ wallMs: systemClock.nowMs(), ...traffic });
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
    const serial = requests.length;
    const conversation = readConversation(parsed.data);
    const isMain = conversation.tools.length > 0;
    note({ type: isMain ? "main-request" : "side-request", request: serial });
    const turn = isMain ? script(conversation) : SIDE_ANSWER;
    await answerTurn(response, turn, { model: parsed.data.model, serial, note: isMain ? note : ignore });
  };

  const server = await startLoopbackServer(answer, (response, problem) =>
    refuse(response, 400, "invalid_request_error", problem),
  );
  return { ...server, requests, refusals };
}

/** The answer to a client's own requests, such as for a title. */
const SIDE_ANSWER: AssistantTurn = {
  type: "message",
  blocks: [{ type: "text", text: "ok" }],
  usage: { inputTokens: 1, outputTokens: 1 },
};
const ignore: NoteTraffic = () => undefined;

/** Sends a message in one piece, unlike `sendTurn`, which streams it. */
async function answerTurn(
  response: ServerResponse,
  turn: AssistantTurn,
  { model, serial, note }: { model: string; serial: number; note: NoteTraffic },
): Promise<void> {
  if (turn.type !== "message") {
    const stepsOf: TurnFormat["stepsOf"] = (streamed) => pacedMessages(streamed, model, serial);
    return sendTurn(response, turn, { stepsOf, sendError }, serial, note);
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  note({ type: "first-byte", request: serial });
  const tool = turn.blocks.find((block) => block.type === "tool_use");
  if (tool !== undefined) note({ type: "tool-call", request: serial, name: tool.name });
  response.end(encodeEvents(eventsOf(turn, model, serial)));
  note({ type: "last-byte", request: serial, stop: tool === undefined ? "end-turn" : "tool-use" });
}

function isAuthorised(request: IncomingMessage, apiKey: string): boolean {
  const { "x-api-key": key, authorization } = request.headers;
  return key === apiKey || authorization === `Bearer ${apiKey}`;
}

function describe(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { type: "error", error: { type, message } });
}
