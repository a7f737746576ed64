import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "agent-tty/kit";
import type { AssistantTurn } from "./assistant-turn.ts";
import { readJson, sendJson, startLoopbackServer } from "./loopback-server.ts";
import { pacedResponses } from "./paced-responses.ts";
import { offeredTools, responsesRequest, userTexts } from "./responses-request.ts";
import { sendTurn, type TurnFormat } from "./send-turn.ts";
import type { NoteTraffic, Traffic } from "./traffic.ts";

export interface ResponsesScript {
  /**
   * Returns whether these user texts belong to the conversation and not to a request of the client itself, such as for a title.
   */
  isMain(userTexts: readonly string[]): boolean;
  turn(userTexts: readonly string[]): AssistantTurn;
  /** Whether its tool calls ask for permission. */
  asksFirst: boolean;
}

export interface ResponsesServer extends AsyncDisposable {
  /** For `base_url` of a model provider. */
  readonly url: string;
  readonly refusals: readonly string[];
}

/** Starts a scripted model on a loopback port with OpenAI's streaming Responses API, for requests with `apiKey`. */
export async function startResponsesServer(
  apiKey: string,
  script: ResponsesScript,
  onTraffic: (traffic: Traffic) => void = () => undefined,
): Promise<ResponsesServer> {
  const note: NoteTraffic = (traffic) => onTraffic({ wallMs: systemClock.nowMs(), ...traffic });
  const refusals: string[] = [];
  let requests = 0;
  const refuse = (response: ServerResponse, status: number, message: string): void => {
    refusals.push(message);
    sendError(response, status, "invalid_request_error", message);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = `${request.method} ${new URL(request.url ?? "/", "http://loopback").pathname}`;
    if (route !== "POST /v1/responses") return refuse(response, 404, `no such route: ${route}`);
    if (request.headers.authorization !== `Bearer ${apiKey}`) return refuse(response, 401, "invalid API key");
    const parsed = responsesRequest.safeParse(await readJson(request));
    if (!parsed.success) return refuse(response, 400, parsed.error.message);
    requests += 1;
    const texts = userTexts(parsed.data);
    const isMain = script.isMain(texts);
    note({ type: isMain ? "main-request" : "side-request", request: requests });
    const turn = isMain ? script.turn(texts) : SIDE_ANSWER;
    const tools = { byName: offeredTools(parsed.data), asksFirst: script.asksFirst };
    const serial = requests;
    const format: TurnFormat = { stepsOf: (streamed) => pacedResponses(streamed, tools, serial), sendError };
    await sendTurn(response, turn, format, serial, isMain ? note : () => undefined);
  };
  const server = await startLoopbackServer(answer, (response, problem) => refuse(response, 400, problem));
  return { ...server, url: `${server.url}/v1`, refusals };
}

const SIDE_ANSWER: AssistantTurn = {
  type: "stream",
  parts: [{ type: "text", text: '{"title":"A task"}', everyMs: 0 }],
  usage: { inputTokens: 1, outputTokens: 1 },
};

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { error: { type, code: type, message } });
}
