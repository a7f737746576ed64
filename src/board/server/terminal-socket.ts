import type { Clock } from "agent-tty/kit";
import type { WebSocket } from "ws";
import type { TerminalFrame } from "../api/index.ts";
import type { TerminalFrames } from "./board-source.ts";

/** Close codes of RFC 6455, 7.4.1. */
export const closeCodes = {
  ended: 1000,
  goingAway: 1001,
  refused: 1008,
  failed: 1011,
  tryLater: 1013,
} as const;

const PING_EVERY_MS = 20_000;

/**
 * Sends one frame at a time, and the next only when the previous frame has left this process: a slow reader causes no backlog
 * here, and the source sends it a reset instead. A reader that does not answer a ping is disconnected.
 */
export async function serveTerminal(
  socket: WebSocket,
  frames: TerminalFrames,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  using _pings = pingRegularly(socket, clock);
  for await (const frame of frames) {
    if (signal.aborted || socket.readyState !== socket.OPEN) return;
    await send(socket, frame);
  }
  if (!signal.aborted) socket.close(closeCodes.ended, "the terminal has ended");
}

/** Resolves when the frame has been sent, or when the reader has disconnected. */
function send(socket: WebSocket, frame: TerminalFrame): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("close", done);
      resolve();
    };
    socket.once("close", done);
    socket.send(JSON.stringify(frame), done);
  });
}

function pingRegularly(socket: WebSocket, clock: Clock): Disposable {
  let isAnswered = true;
  const onPong = (): void => void (isAnswered = true);
  socket.on("pong", onPong);
  const ping = (): void => {
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
    timer = clock.schedule(PING_EVERY_MS, ping);
  };
  let timer = clock.schedule(PING_EVERY_MS, ping);
  return {
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      socket.off("pong", onPong);
    },
  };
}
