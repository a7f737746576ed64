import { systemClock, systemIds } from "agent-tty/kit";
import { type Board, startBoard } from "../../../src/board/index.ts";
import { openBoardSource } from "../../../src/board/source/index.ts";

export interface BenchBoard extends AsyncDisposable {
  url: Board["url"];
}

/** Serves the board over a home on a free loopback port, to requests with the token, until disposed. */
export async function serveBenchHome(
  home: string,
  pageDirectory: string,
  token: string,
): Promise<BenchBoard> {
  const ports = { clock: systemClock, ids: systemIds(systemClock) };
  const source = openBoardSource(home, ports);
  const board = await startBoard({
    source,
    ...ports,
    host: "127.0.0.1",
    port: 0,
    token,
    allowsControl: false,
    version: "bench",
    pageDirectory,
    redact: (text) => text,
    onFailure: (error) => void process.stderr.write(`${String(error)}\n`),
  });
  return {
    url: board.url,
    [Symbol.asyncDispose]: async () => {
      await board[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}
