/** Serves the board over the home given, with the page given, and prints its address; ends with its input. */
import { systemClock, systemIds } from "agent-tty/kit";
import { startBoard } from "../../../../src/board/index.ts";
import { openBoardSource } from "../../../../src/board/source/index.ts";

const [home = "", pageDirectory = "", token = ""] = process.argv.slice(2);
const ports = { clock: systemClock, ids: systemIds(systemClock) };
await using source = openBoardSource(home, ports);
await using board = await startBoard({
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
process.stdout.write(`${board.url}\n`);
for await (const _ of process.stdin);
