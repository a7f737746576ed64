/**
 * Usage: `npm run conformance -- DIR`. Checks the project, through its public index files, against independent cases (facts, as
 * JSON) and recordings of TUIs. Prints per file how many cases agree, every case that does not, and how well TUIs were tracked,
 * with the screens where the tracker was wrong (`--verbose`: all of them). `--json` prints one JSON document instead;
 * `--predictions FILE` also writes the tracker's predictions, one JSON document per line; `--show RECORDING@T_MS` only shows
 * what a tracker sees at one time of one recording. Exit code 0 when no asserted case differs and no threshold is missed, 1 when
 * one does or a file of a covered family cannot be read, 2 for a usage error.
 */
import { conformance } from "./conformance/command-line.ts";
import { answerHelp } from "./script-arguments.ts";

answerHelp(import.meta.url);
process.exitCode = await conformance(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
