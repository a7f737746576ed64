import { summarySchema } from "../batch/summary-schema.ts";
import type { ParentEnd } from "./parents.ts";

const SIGNAL_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Returns the violations of the contract of exit codes and stdout by one parent. */
export function parentViolations(end: ParentEnd): string[] {
  const { label, exitCode, signal, signals, stdout, stderr, isHung } = end;
  const fail = (text: string): string[] => [`${label}: ${text}; its stderr ends: ${stderr.slice(-400)}`];
  if (isHung) return fail("it did not end, neither by itself nor when stopped");
  // Before its handlers are installed, or after they are removed, a signal ends the parent like any process; shells report 128 +
  // n, too.
  if (signal !== null)
    return (signals as readonly string[]).includes(signal)
      ? []
      : fail(`it died by ${signal}, which nobody sent`);
  const summary = stdout === "" ? null : summarySchema.safeParse(parseJson(stdout));
  if (summary?.success === false) return fail(`stdout is no summary: ${summary.error.message.slice(0, 300)}`);
  const found = summary?.data ?? null;
  const hasFailed = found !== null && ((found.totals["failed"] ?? 0) > 0 || found.stranded.length > 0);
  switch (exitCode) {
    case 0:
      return found === null || hasFailed ? fail("exit code 0 with failed issues, or without a summary") : [];
    case 3:
      return hasFailed ? [] : fail("exit code 3 without a failed issue");
    case 1:
    case 4:
      return found === null ? [] : fail(`exit code ${exitCode} with a summary`);
    default:
      return signals.some((sent) => SIGNAL_CODES[sent] === exitCode) ? [] : fail(`exit code ${exitCode}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
