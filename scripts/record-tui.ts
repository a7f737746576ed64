/**
 * `npm run record:tui -- --tool claude --version 2.1.197 --scenario perm_accept --size 80x24 --out DIR`: performs a scenario
 * with the real CLI from npm against a scripted model on loopback, and writes the terminal's data with labels from the server's
 * own timeline, the inputs and the process. With `--scenario all` it performs every scenario of the tool; `--list` prints their
 * names. It needs the npm registry once per version and up to 500 MB, but no account.
 */
import { recordTui } from "./record-tui/command-line.ts";
import { answerHelp } from "./script-arguments.ts";

answerHelp(import.meta.url);
process.exitCode = await recordTui(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
