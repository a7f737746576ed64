import type { TerminalFrame } from "../../api/index.ts";
import type { PageClock } from "../browser/index.ts";
import type { Follower, WatchedTerminal } from "./board-data.ts";
import { Retry } from "./retry.ts";

/** The close code of a policy violation (RFC 6455): retrying would not help. */
const POLICY_VIOLATION = 1008;

/**
 * Receives the frames of a living Session until it exits. After a lost connection, it continues after the last received frame.
 */
export function watchTerminal(
  clock: PageClock,
  { id, terminal, sessionId }: WatchedTerminal,
  follower: Follower<TerminalFrame>,
): () => void {
  let afterSeq: number | null = null;
  let socket: WebSocket | null = null;
  const retry = new Retry(clock, connect, follower.connection);

  function connect(): void {
    const address = new URL(`/api/runs/${encodeURIComponent(id)}/terminal`, window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("terminal", terminal);
    address.searchParams.set("session", sessionId);
    if (afterSeq !== null) address.searchParams.set("afterSeq", String(afterSeq));
    const opened = new WebSocket(address);
    socket = opened;
    let hasExited = false;
    opened.addEventListener("open", () => retry.succeeded());
    opened.addEventListener("message", ({ data }: MessageEvent<string>) => {
      const frame = JSON.parse(data) as TerminalFrame;
      afterSeq = frame.seq;
      hasExited = frame.type === "exit";
      follower.item(frame);
    });
    opened.addEventListener("close", ({ code, reason }) => {
      if (socket !== opened) return;
      if (hasExited || code === 1000) follower.connection({ type: "still" });
      else if (code === POLICY_VIOLATION) follower.connection({ type: "refused", failure: refusal(reason) });
      else retry.later();
    });
  }

  connect();
  return () => {
    const closing = socket;
    socket = null;
    closing?.close();
    retry.close();
  };
}

function refusal(reason: string): { code: string; message: string; remedy: string } {
  const message = reason === "" ? "The board does not show this terminal." : reason;
  return { code: "TERMINAL_REFUSED", message, remedy: "Reload the page." };
}
