import { systemClock } from "agent-tty/kit";
import type { ServerResponse } from "node:http";
import type { StreamPart } from "./assistant-turn.ts";
import type { NoteTraffic } from "./traffic.ts";

/** One step of an answer with pauses. */
export type PacedStep =
  | { type: "send"; events: string }
  | { type: "wait"; durationMs: number }
  | { type: "tool-called"; name: string }
  | { type: "disconnect" };

/** Streams the steps as server-sent events; stops when the client has gone. */
export async function sendPaced(
  response: ServerResponse,
  steps: readonly PacedStep[],
  request: number,
  note: NoteTraffic,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  note({ type: "first-byte", request });
  let stop: "end-turn" | "tool-use" = "end-turn";
  for (const step of steps) {
    if (gone.signal.aborted) return note({ type: "client-gone", request });
    switch (step.type) {
      case "send":
        response.write(step.events);
        break;
      case "wait":
        await slept(step.durationMs, gone.signal);
        break;
      case "tool-called":
        stop = "tool-use";
        note({ type: "tool-call", request, name: step.name });
        break;
      case "disconnect":
        response.destroy();
        return note({ type: "disconnected", request });
      default:
        step satisfies never;
    }
  }
  await new Promise<void>((resolve) => {
    response.end(resolve);
    response.once("close", resolve);
  });
  if (!response.errored) note({ type: "last-byte", request, stop });
}

/** Splits a text into pieces of about as many characters as a model sends at once, each followed by its pause. */
export function piecesOf({ text, everyMs }: Extract<StreamPart, { text: string }>): [string, PacedStep][] {
  const pieces = text.match(/\s*\S{1,24}/gu) ?? [];
  return pieces.map((piece) => [piece, { type: "wait", durationMs: everyMs }]);
}

/** Waits for the duration, or until the client has gone. */
async function slept(durationMs: number, signal: AbortSignal): Promise<void> {
  await systemClock.sleep(durationMs, signal).catch(() => undefined);
}
