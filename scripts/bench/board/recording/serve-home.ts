/** Serves the board over the given home, with the given page, and prints its address. It exits when its standard input ends. */
import { serveBenchHome } from "../serve-bench-home.ts";

const [home = "", pageDirectory = "", token = ""] = process.argv.slice(2);
await using board = await serveBenchHome(home, pageDirectory, token);
process.stdout.write(`${board.url}\n`);
for await (const _ of process.stdin);
