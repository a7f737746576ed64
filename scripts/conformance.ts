/**
 * `npm run conformance -- DIR`: puts independent cases (facts, as JSON) and recordings of TUIs to the project through its
 * public doors. Prints per file how many cases agree, every one that does not, and how well TUIs were tracked, with the
 * screens where the tracker was wrong (`--verbose`: all of them). `--json` prints one JSON document instead;
 * `--predictions FILE` also writes what the tracker said, one JSON document a line; `--show RECORDING@T_MS` only shows
 * what a tracker sees at one time of one recording. Exit code 0 when no asserted case differs and no threshold is missed,
 * 1 when one does or a file of a covered family cannot be read, 2 for a usage error.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { messageOf } from "agent-tty/kit";
import { checkDirectory, type FileReport } from "./conformance/check-directory.ts";
import { families } from "./conformance/registry.ts";
import { reportText } from "./conformance/report-text.ts";
import { buildReport } from "./conformance/report.ts";
import { showMoment } from "./conformance/tracking/show-moment.ts";

const USAGE_EXIT_CODE = 2;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { directory, json, verbose, predictions, show } = readArguments();
    if (show !== undefined) {
      process.stdout.write(await showMoment(directory, show));
      return 0;
    }
    const files: FileReport[] = [];
    for await (const file of checkDirectory(directory, families)) files.push(file);
    if (predictions !== undefined) await writeFile(predictions, predictionLines(files));
    const report = buildReport(directory, files);
    process.stdout.write(
      json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, { isVerbose: verbose }),
    );
    return report.holds ? 0 : 1;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`conformance: ${messageOf(error)}\n`);
    return USAGE_EXIT_CODE;
  }
}

function readArguments(): {
  directory: string;
  json: boolean;
  verbose: boolean;
  predictions?: string | undefined;
  show?: string | undefined;
} {
  const options = {
    json: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    predictions: { type: "string" },
    show: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [directory, ...rest] = positionals;
  if (directory === undefined || rest.length > 0)
    throw new TypeError(`expected one directory of case files, got ${positionals.length}`);
  return { directory, ...values };
}

function predictionLines(files: readonly FileReport[]): string {
  const told = files.flatMap((file) => (file.status === "tracked" ? file.tracked.predictions : []));
  return told.map((prediction) => `${JSON.stringify(prediction)}\n`).join("");
}

/** A flag or argument that cannot be, or a directory that is not there. */
function isUsageError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    (error instanceof TypeError && (code === undefined || code.startsWith("ERR_PARSE_ARGS"))) ||
    code === "ENOENT" ||
    code === "ENOTDIR"
  );
}
