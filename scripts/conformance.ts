/**
 * `npm run conformance -- DIR`: puts independent cases (facts, as JSON) to the project through its public doors. Prints
 * per file how many cases agree and every one that does not; `--json` prints one JSON document instead. Exit code 0 when
 * no asserted case differs, 1 when one does or a file of a covered family cannot be read, 2 for a usage error.
 */
import { parseArgs } from "node:util";
import { messageOf } from "agent-tty/kit";
import { checkDirectory } from "./conformance/check-directory.ts";
import { families } from "./conformance/registry.ts";
import { reportText } from "./conformance/report-text.ts";
import { buildReport } from "./conformance/report.ts";

const USAGE_EXIT_CODE = 2;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { directory, asJson } = readArguments();
    const report = buildReport(directory, await checkDirectory(directory, families));
    process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
    return report.holds ? 0 : 1;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`conformance: ${messageOf(error)}\n`);
    return USAGE_EXIT_CODE;
  }
}

function readArguments(): { directory: string; asJson: boolean } {
  const options = { json: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [directory, ...rest] = positionals;
  if (directory === undefined || rest.length > 0)
    throw new TypeError(`expected one directory of case files, got ${positionals.length}`);
  return { directory, asJson: values.json };
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
