import { systemClock, systemIds } from "agent-tty/kit";
import { type Board, startBoard } from "../../../src/board/index.ts";
import type { FakeBoardSource } from "./fake-board-source.ts";

export const TOKEN = "test-token-of-the-board";

export interface ServeOptions {
  pageDirectory: string;
  port?: number;
  host?: string | undefined;
  allowsControl?: boolean;
}

/** Starts the real server over a fake source. */
export function serveFakeBoard(source: FakeBoardSource, options: ServeOptions): Promise<Board> {
  return startBoard({
    source,
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    token: TOKEN,
    allowsControl: options.allowsControl ?? false,
    version: "0.0.0-test",
    pageDirectory: options.pageDirectory,
    clock: systemClock,
    ids: systemIds(systemClock),
    redact: (text) => text,
    onFailure: (error) => console.error(error),
  });
}
