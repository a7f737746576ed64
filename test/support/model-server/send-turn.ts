import type { ServerResponse } from "node:http";
import type { AssistantTurn, StreamPart } from "./assistant-turn.ts";
import { type PacedStep, sendPaced } from "./paced-events.ts";
import type { NoteTraffic } from "./traffic.ts";

type StreamedTurn = Extract<AssistantTurn, { type: "stream" }>;

export interface TurnFormat {
  /** Formats a turn as the events of one API. */
  stepsOf: (turn: StreamedTurn) => readonly PacedStep[];
  sendError: (response: ServerResponse, status: number, type: string, message: string) => void;
}

/** Sends a turn as the answer to request number `serial`, a message as a stream without pauses. */
export async function sendTurn(
  response: ServerResponse,
  turn: AssistantTurn,
  { stepsOf, sendError }: TurnFormat,
  serial: number,
  note: NoteTraffic,
): Promise<void> {
  switch (turn.type) {
    case "message": {
      const parts = turn.blocks.map((block): StreamPart =>
        block.type === "text" ? { ...block, everyMs: 0 } : block,
      );
      return sendPaced(response, stepsOf({ ...turn, type: "stream", parts }), serial, note);
    }
    case "stream":
      return sendPaced(response, stepsOf(turn), serial, note);
    case "error":
      sendError(response, turn.status, turn.errorType, turn.message);
      return note({ type: "error-sent", request: serial, status: turn.status });
    case "hang":
      return;
    default:
      return turn satisfies never;
  }
}
