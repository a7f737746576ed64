import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { WebSocket } from "ws";
import {
  type Board,
  type BoardOptions,
  type BoardSource,
  startBoard,
  type TerminalFrame,
} from "../../src/board/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

export const TOKEN = "5".repeat(64);
export const BEARER = { Authorization: `Bearer ${TOKEN}` };

export interface BoardStage extends AsyncDisposable {
  board: Board;
  failures: unknown[];
  /** Requests a path with the token. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Starts a board on loopback, with a page of three files. */
export async function boardStage(
  source: BoardSource,
  change: Partial<BoardOptions> = {},
): Promise<BoardStage> {
  const directory = await temporaryDirectory();
  const pageDirectory = join(directory.path, "board");
  await mkdir(pageDirectory);
  await writeFile(
    join(pageDirectory, "index.html"),
    '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__" /><script src="board.js" defer></script>',
  );
  await writeFile(join(pageDirectory, "board.js"), "void 0;\n");
  await writeFile(join(pageDirectory, "secret.txt"), "not part of the page");
  const failures: unknown[] = [];
  const starting = startBoard({
    source,
    host: "127.0.0.1",
    port: 0,
    token: TOKEN,
    allowsControl: false,
    version: "1.2.3",
    pageDirectory,
    clock: systemClock,
    ids: systemIds(systemClock),
    redact: (text) => text,
    onFailure: (error) => void failures.push(error),
    ...change,
  });
  starting.catch(() => directory[Symbol.asyncDispose]());
  const board = await starting;
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    fetch(new URL(path, board.url), { ...init, redirect: "manual" });
  return {
    board,
    failures,
    get: (path, headers = {}) => ask(path, { headers: { ...BEARER, ...headers } }),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { ...BEARER, "Content-Type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    [Symbol.asyncDispose]: async () => {
      await board[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/**
 * Sends a request with any headers, including those that `fetch` sets itself; returns status, failure code,
 * headers and text.
 */
export function rawRequest(
  board: Board,
  path: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; code: string | null; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: board.port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, code: codeIn(text), headers: response.headers, text }),
      );
    });
    sent.on("error", reject).end(body);
  });
}

function codeIn(text: string): string | null {
  try {
    return (JSON.parse(text) as { error?: { code: string } }).error?.code ?? null;
  } catch {
    return null;
  }
}

export interface ServerEvent {
  id: string | null;
  event: string;
  data: unknown;
}

/** Reads server-sent events; `next` skips comments and returns null at the end. */
export async function readChanges(
  stage: Pick<BoardStage, "get">,
  path = "/api/changes",
  headers: Record<string, string> = {},
): Promise<AsyncDisposable & { next(): Promise<ServerEvent | null>; comments: string[] }> {
  const response = await stage.get(path, headers);
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const comments: string[] = [];
  let rest = "";
  const next = async (): Promise<ServerEvent | null> => {
    for (;;) {
      const end = rest.indexOf("\n\n");
      if (end !== -1) {
        const block = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const field = (name: string): string | null =>
          new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? null;
        const data = field("data");
        if (data !== null) return { id: field("id"), event: field("event") ?? "", data: JSON.parse(data) };
        if (block.startsWith(":")) comments.push(block);
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      rest += decoder.decode(value, { stream: true });
    }
  };
  return { next, comments, [Symbol.asyncDispose]: () => reader.cancel().catch(() => undefined) };
}

export interface TerminalReader extends Disposable {
  socket: WebSocket;
  frames: TerminalFrame[];
  closed: Promise<{ code: number; reason: string }>;
  /** Resolves when a frame matches. */
  until(holds: (frame: TerminalFrame) => boolean): Promise<void>;
}

export function readTerminal(
  board: Board,
  path: string,
  headers: Record<string, string> = BEARER,
): TerminalReader {
  const socket = new WebSocket(new URL(path, board.url.replace("http:", "ws:")), { headers });
  const frames: TerminalFrame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data: Buffer) => {
    frames.push(JSON.parse(data.toString("utf8")) as TerminalFrame);
    for (const look of waiting) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString("utf8") }));
    socket.on("error", () => undefined);
  });
  return {
    socket,
    frames,
    closed,
    until: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!frames.some(holds)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** Returns the HTTP status of a refused upgrade, or "open". */
export function upgradeStatus(
  board: Board,
  path: string,
  headers: Record<string, string>,
): Promise<number | "open"> {
  return new Promise((resolve) => {
    const socket = new WebSocket(new URL(path, board.url.replace("http:", "ws:")), { headers });
    socket.on("open", () => {
      socket.terminate();
      resolve("open");
    });
    socket.on("unexpected-response", (_, response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
      socket.terminate();
    });
    socket.on("error", () => undefined);
  });
}

/** Returns the first line of the answer to a request head that no HTTP library would send. */
export function firstLine(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${head}\r\n\r\n`));
    socket.once("data", (bytes) => {
      socket.destroy();
      resolve(bytes.toString("latin1").split("\r\n")[0] ?? "");
    });
    socket.once("error", reject);
  });
}
