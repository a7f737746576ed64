import { messageOf } from "agent-tty/kit";
import { printable } from "../workspace-error.ts";
import type { EndMarkFilter } from "./end-mark-filter.ts";

/** One running `coder ssh` without a PTY. */
export interface OpenConnection {
  stdout: AsyncIterable<Buffer>;
  stderr: AsyncIterable<Buffer>;
  send: (line: string) => void;
  /** Ends the process with SIGTERM, and with SIGKILL if it does not exit. */
  close: () => void;
  /** Ends the process with SIGKILL, for a caller that cannot wait. */
  kill: () => void;
  /** Resolves when the process is gone, with a description of how it ended. */
  closed: Promise<string>;
}

export type ConnectionEnd =
  /** The remote shell exited. */
  | { type: "ended"; exitCode: number }
  /** The terminal does not exist (any more). */
  | { type: "gone" }
  /** The remote side could not send the next byte, because it is no longer kept. */
  | { type: "behind" }
  | { type: "lost"; seen: string };

export interface ConnectionPorts {
  offset: number;
  nonce: string;
  /** Shared by all connections of a terminal, because a lost connection may cut a mark in two. */
  filter: EndMarkFilter;
  write: (bytes: Buffer) => void;
  /** Called when anything at all has arrived. */
  onHeard: () => void;
  /** Called when the remote side is attached; `acknowledged` is the last frame that it carried out. */
  onAttached: (acknowledged: number) => void;
  onAcknowledged: (sequence: number) => void;
  signal: AbortSignal;
}

const STDERR_SHOWN = 300;

/**
 * Runs one connection from its attachment to its end. Resolves with that end. `offset` is the offset of the next byte to read;
 * `wasAttached` says whether the remote side ever answered.
 */
export async function runConnection(
  connection: OpenConnection,
  ports: ConnectionPorts,
): Promise<{ end: ConnectionEnd; wasAttached: boolean; offset: number }> {
  const { nonce, filter, write, onHeard, signal } = ports;
  const state = { offset: ports.offset, wasAttached: false, isGone: false, exitCode: null as number | null };
  let attached: () => void = () => undefined;
  const isAttached = new Promise<void>((resolve) => (attached = resolve));
  const close = (): void => connection.close();
  signal.addEventListener("abort", close, { once: true });

  const onReport = ([word, first, second]: string[]): void => {
    if (word === "at") {
      state.wasAttached = true;
      state.offset = Number(first);
      ports.onAttached(Number(second));
      attached();
    } else if (word === "ack") ports.onAcknowledged(Number(first));
    else if (word === "gone") state.isGone = true;
  };
  const readOutput = async (): Promise<void> => {
    for await (const chunk of connection.stdout) {
      onHeard();
      await isAttached;
      if (!state.wasAttached) continue;
      const { output, exitCode } = filter.push(chunk);
      if (output.byteLength > 0) write(output);
      state.offset += chunk.byteLength;
      if (exitCode === null) continue;
      state.exitCode = exitCode;
      return;
    }
  };
  const reports = readReports(connection.stderr, nonce, onHeard, onReport).finally(attached);
  const output = readOutput();
  const [closed, rest] = await settle(connection, output, reports, state);
  signal.removeEventListener("abort", close);

  const { offset, wasAttached } = state;
  const seen = signal.aborted ? messageOf(signal.reason) : printable(`${closed} ${rest}`, STDERR_SHOWN);
  if (state.exitCode !== null)
    return { end: { type: "ended", exitCode: state.exitCode }, wasAttached, offset };
  if (state.isGone) return { end: { type: "gone" }, wasAttached, offset };
  const isBehind = wasAttached && closed === "exit 0" && !signal.aborted;
  return { end: isBehind ? { type: "behind" } : { type: "lost", seen }, wasAttached, offset };
}

async function settle(
  connection: OpenConnection,
  output: Promise<void>,
  reports: Promise<string>,
  state: { exitCode: number | null },
): Promise<[closed: string, stderr: string]> {
  await output.catch(() => undefined);
  if (state.exitCode !== null) return ["", ""];
  return [await connection.closed, await reports.catch(() => "")];
}

/** Passes on the reports on stderr, and resolves with the other text there. */
async function readReports(
  stderr: AsyncIterable<Buffer>,
  nonce: string,
  onHeard: () => void,
  onReport: (words: string[]) => void,
): Promise<string> {
  let [line, other] = ["", ""];
  for await (const chunk of stderr) {
    onHeard();
    const lines = (line + chunk.toString("latin1")).split("\n");
    line = (lines.pop() ?? "").slice(-STDERR_SHOWN);
    for (const each of lines) {
      if (each.startsWith(`${nonce} `)) onReport(each.slice(nonce.length + 1).split(" "));
      else other = `${other} ${each}`.slice(-STDERR_SHOWN);
    }
  }
  return `${other} ${line}`.trim();
}
