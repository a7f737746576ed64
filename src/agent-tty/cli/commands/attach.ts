import { StringDecoder } from "node:string_decoder";
import { type PaintedScreen, screenPainting } from "../../painting/index.ts";
import type { Home } from "../../home/index.ts";
import { messageOf } from "../../kit/index.ts";
import { followEvents, TerminalSafeText } from "../../log/index.ts";
import type { HostConnection } from "../../protocol/index.ts";
import { DetachKeys } from "../detach-keys.ts";
import { askLiveHost, withCommandTarget } from "../live-host.ts";
import { enterRawMode, writeTerminal } from "../own-terminal.ts";
import type { CommandResult } from "../report.ts";
import { usageError } from "../usage.ts";

export interface AttachArguments {
  isReadOnly: boolean;
  signal: AbortSignal;
}

type AttachEnd = "detached" | "exited" | "lost its host";

/**
 * Connects a person's terminal to a live Session: shows its screen and new output and, unless read-only, forwards the person's
 * keys and terminal size.
 */
export async function attach(
  home: Home,
  sessionId: string,
  options: AttachArguments,
): Promise<CommandResult> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw usageError(
      "attach needs a terminal on stdin and stdout",
      "Run it in a terminal, or use snapshot and follow",
    );
  const work = (host: HostConnection): Promise<AttachEnd> => attachTo(home, sessionId, host, options);
  const end = options.isReadOnly
    ? await askLiveHost(home, sessionId, work)
    : await withCommandTarget(home, sessionId, work);
  if (end === null)
    throw usageError(
      `Session ${sessionId} has no live host`,
      "Show its last screen with `agent-tty snapshot`",
    );
  return { result: { sessionId, end }, text: end === "detached" ? "detached" : `the Session has ${end}` };
}

async function attachTo(
  home: Home,
  sessionId: string,
  host: HostConnection,
  { isReadOnly, signal }: AttachArguments,
): Promise<AttachEnd> {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  using _raw = enterRawMode(() => ended.abort());
  const keys = forwardKeys(host, isReadOnly, () => ended.abort());
  const size = isReadOnly ? null : forwardSize(host);
  let isLost = false;
  void host.closed.then(async () => {
    // The last output of an exited Session can still be read from its Event Log. If the host is lost, the Event Log never gets an
    // end.
    isLost = (await home.readManifest(sessionId)).exit === null;
    if (isLost) ended.abort();
  });
  try {
    // Keys reach the program only if they are forwarded.
    const safe = new TerminalSafeText(!isReadOnly);
    const seq = await paint(host, safe);
    const end = await show(home, sessionId, safe, { fromSeq: seq + 1, signal: stop });
    return end === "detached" && isLost ? "lost its host" : end;
  } finally {
    ended.abort();
    keys.stop();
    size?.stop();
  }
}

/** Paints the Session's current screen; resolves with its sequence. Later output is read from the Event Log. */
async function paint(host: HostConnection, safe: TerminalSafeText): Promise<number> {
  const detail = { cells: true, scrollback: false };
  const reply = await host.call({ method: "snapshot", format: "structured", detail });
  const screen = reply as unknown as PaintedScreen & { capturedAtSeq: number };
  await writeTerminal(safe.push(Buffer.from(screenPainting(screen))));
  return screen.capturedAtSeq;
}

async function show(
  home: Home,
  sessionId: string,
  safe: TerminalSafeText,
  range: { fromSeq: number; signal: AbortSignal },
): Promise<AttachEnd> {
  const events = followEvents(home.sessionDirectory(sessionId), { ...range, clock: home.clock });
  for await (const { record, bytes } of events) {
    if (record.type === "output") await writeTerminal(safe.push(bytes));
    if (record.type === "exit") return "exited";
  }
  return "detached";
}

function forwardKeys(host: HostConnection, isReadOnly: boolean, detach: () => void): { stop(): void } {
  const keys = new DetachKeys();
  const decoder = new StringDecoder("utf8");
  let sent: Promise<unknown> = Promise.resolve();
  const onData = (bytes: Buffer): void => {
    const { text, isDetached } = keys.push(decoder.write(bytes));
    // A key that the Session refuses is lost, as on any busy terminal; the Event Log shows when the Session ends.
    if (text !== "" && !isReadOnly)
      sent = sent.then(() => host.call({ method: "type", text })).catch(messageOf);
    if (isDetached) void sent.then(detach);
  };
  process.stdin.on("data", onData);
  process.stdin.resume();
  return {
    stop: () => {
      process.stdin.off("data", onData);
      process.stdin.pause();
    },
  };
}

function forwardSize(host: HostConnection): { stop(): void } {
  const send = (): void => {
    const { columns: cols, rows } = process.stdout;
    host.call({ method: "resize", cols, rows }).catch(messageOf);
  };
  send();
  process.stdout.on("resize", send);
  return { stop: () => process.stdout.off("resize", send) };
}
