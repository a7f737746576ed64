/**
 * `npm run bench`: every benchmark, one after the other: `bench:engine`, which takes the arguments, and `bench:tracker`.
 * With `--json FILE` the rows of the latter are written beside it, to FILE.tracker.json.
 */
import { execa } from "execa";

const given = process.argv.slice(2);
const file = given.at(given.indexOf("--json") + 1);
const trackerArgs = given.includes("--json") ? ["--json", `${file}.tracker.json`] : [];

await run("bench:engine", given);
await run("bench:tracker", trackerArgs);

async function run(script: string, args: readonly string[]): Promise<void> {
  await execa("npm", ["run", "--silent", script, "--", ...args], { stdio: "inherit" });
}
