/**
 * Usage: `npm run bench`. Runs every benchmark, one after the other: `bench:engine`, which gets the arguments, `bench:tracker`,
 * `bench:board`, `bench:comments`, `bench:evidence`, `bench:duplicates` and `bench:batch`; this takes about 17 minutes. With
 * `--json FILE` the rows of tracker, evidence, duplicates and batch are written next to that file, to FILE.tracker.json and so
 * on.
 */
import { execa } from "execa";
import { answerHelp } from "./script-arguments.ts";

answerHelp(import.meta.url);

const given = process.argv.slice(2);
const file = given.at(given.indexOf("--json") + 1);
const beside = (name: string): string[] =>
  given.includes("--json") ? ["--json", `${file}.${name}.json`] : [];

await run("bench:engine", given);
await run("bench:tracker", beside("tracker"));
await run("bench:board", []);
await run("bench:comments", []);
await run("bench:evidence", beside("evidence"));
await run("bench:duplicates", beside("duplicates"));
await run("bench:batch", beside("batch"));

async function run(script: string, args: readonly string[]): Promise<void> {
  await execa("npm", ["run", "--silent", script, "--", ...args], { stdio: "inherit" });
}
