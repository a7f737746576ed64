import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { messageOf } from "agent-tty/kit";
import type { FileReport } from "./check-directory.ts";

const USAGE_EXIT_CODE = 2;

export interface Output {
  write: (text: string) => void;
  complain: (text: string) => void;
}

/** Runs the command that scripts/conformance.ts describes; resolves with its exit code. */
export async function conformance(argv: readonly string[], { write, complain }: Output): Promise<number> {
  try {
    const { directory, json, verbose, predictions, show } = readArguments(argv);
    if (show !== undefined) {
      const { showMoment } = await import("./tracking/show-moment.ts");
      write(await showMoment(directory, show));
      return 0;
    }
    // This import comes late because the families load half of the program, and a usage error needs none of it.
    const { checkDirectory } = await import("./check-directory.ts");
    const { families } = await import("./registry.ts");
    const { buildReport } = await import("./report.ts");
    const { reportText } = await import("./report-text.ts");
    const files: FileReport[] = [];
    for await (const file of checkDirectory(directory, families)) files.push(file);
    if (predictions !== undefined) await writeFile(predictions, predictionLines(files));
    const report = buildReport(directory, files);
    write(json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, { isVerbose: verbose }));
    return report.holds ? 0 : 1;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    complain(`conformance: ${messageOf(error)}\n`);
    return USAGE_EXIT_CODE;
  }
}

function readArguments(argv: readonly string[]): {
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
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
  const [directory, ...rest] = positionals;
  if (directory === undefined || rest.length > 0)
    throw new TypeError(`expected one directory of case files, got ${positionals.length}`);
  return { directory, ...values };
}

function predictionLines(files: readonly FileReport[]): string {
  const told = files.flatMap((file) => (file.status === "tracked" ? file.tracked.predictions : []));
  return told.map((prediction) => `${JSON.stringify(prediction)}\n`).join("");
}

/** Returns whether the error is an invalid flag or argument, or a missing directory. */
function isUsageError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    (error instanceof TypeError && (code === undefined || code.startsWith("ERR_PARSE_ARGS"))) ||
    code === "ENOENT" ||
    code === "ENOTDIR"
  );
}
