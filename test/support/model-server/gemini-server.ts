import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "agent-tty/kit";
import type { AssistantTurn } from "./assistant-turn.ts";
import { generateContentRequest, offeredFunctions, saidTexts } from "./generate-content-request.ts";
import { readJson, sendJson, startLoopbackServer } from "./loopback-server.ts";
import { pacedGeneration, SHELL_FUNCTION } from "./paced-generation.ts";
import { sendTurn } from "./send-turn.ts";
import type { NoteTraffic, Traffic } from "./traffic.ts";

export interface GeminiServer extends AsyncDisposable {
  /** For GOOGLE_GEMINI_BASE_URL. */
  readonly url: string;
  readonly refusals: readonly string[];
}

const ROUTE =
  /^POST \/v1(?:beta|alpha)?\/models\/[^/:]+:(streamGenerateContent|generateContent|countTokens)$/;

/**
 * Starts a scripted model on a loopback port with Google's streaming Gemini API, for requests with `apiKey`. The `script` gets
 * the user's texts of requests that offer the shell; Gemini CLI's requests outside the conversation never reach it.
 */
export async function startGeminiServer(
  apiKey: string,
  script: (userTexts: readonly string[]) => AssistantTurn,
  onTraffic: (traffic: Traffic) => void = () => undefined,
): Promise<GeminiServer> {
  const note: NoteTraffic = (traffic) => onTraffic({ wallMs: systemClock.nowMs(), ...traffic });
  const refusals: string[] = [];
  let requests = 0;
  const refuse = (response: ServerResponse, status: number, message: string): void => {
    refusals.push(message);
    sendError(response, status, "INVALID_ARGUMENT", message);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = `${request.method} ${new URL(request.url ?? "/", "http://loopback").pathname}`;
    const verb = ROUTE.exec(route)?.[1];
    if (verb === undefined) return refuse(response, 404, `no such route: ${route}`);
    if (request.headers["x-goog-api-key"] !== apiKey) return refuse(response, 401, "API key not valid");
    const body = await readJson(request);
    if (verb === "countTokens")
      return sendJson(response, 200, { totalTokens: JSON.stringify(body).length >> 2 });
    const parsed = generateContentRequest.safeParse(body);
    if (!parsed.success) return refuse(response, 400, parsed.error.message);
    requests += 1;
    const isMain = verb === "streamGenerateContent" && offeredFunctions(parsed.data).has(SHELL_FUNCTION);
    note({ type: isMain ? "main-request" : "side-request", request: requests });
    if (verb === "generateContent") return sendJson(response, 200, SIDE_ANSWER);
    const turn = isMain ? script(saidTexts(parsed.data)) : SIDE_TURN;
    const format = { stepsOf: pacedGeneration, sendError };
    await sendTurn(response, turn, format, requests, isMain ? note : () => undefined);
  };
  const server = await startLoopbackServer(answer, (response, problem) => refuse(response, 400, problem));
  return { ...server, refusals };
}

const SIDE_TEXT = '{"reasoning":"scripted","next_speaker":"user"}';
const SIDE_TURN: AssistantTurn = {
  type: "stream",
  parts: [{ type: "text", text: SIDE_TEXT, everyMs: 0 }],
  usage: { inputTokens: 1, outputTokens: 1 },
};
const SIDE_ANSWER = {
  candidates: [{ index: 0, content: { role: "model", parts: [{ text: SIDE_TEXT }] }, finishReason: "STOP" }],
};

function sendError(response: ServerResponse, code: number, status: string, message: string): void {
  sendJson(response, code, { error: { code, message, status } });
}
