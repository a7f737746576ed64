/** Serves the board over the home given, with the page given, and prints its address; ends with its input. */
import { serveBenchHome } from "../serve-bench-home.ts";

const [home = "", pageDirectory = "", token = ""] = process.argv.slice(2);
await using board = await serveBenchHome(home, pageDirectory, token);
process.stdout.write(`${board.url}\n`);
for await (const _ of process.stdin);
