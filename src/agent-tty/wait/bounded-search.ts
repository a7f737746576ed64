import { type Context, createContext, Script } from "node:vm";
import { OperationalError } from "../kit/index.ts";
import type { WaitErrorCode } from "./condition.ts";

const SEARCH_LIMIT_MS = 100;
const MAX_TIMEOUT_MS = 10_000;

const question = { source: "", text: "" };
let context: Context | null = null;
const search = new Script("new RegExp(source, 'm').exec(text)?.[0] ?? null");

/**
 * Returns the first match of a multi-line regular expression, or null. Patterns that pass the check for exponential time can
 * still take polynomial time on a full screen; V8 interrupts those. Throws REGEX_TOO_SLOW.
 */
export function searchBounded(source: string, text: string): string | null {
  // All searches share one context, because creating one costs more than most searches.
  context ??= createContext(question, { codeGeneration: { strings: false, wasm: false } });
  Object.assign(question, { source, text });
  for (let timeout = SEARCH_LIMIT_MS; ; timeout *= 2) {
    const before = process.cpuUsage();
    try {
      return search.runInContext(context, { timeout }) as string | null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      // V8 measures wall-clock time. On a busy machine other processes may have used that time; then the search was not slow.
      if (spentMs(before) >= SEARCH_LIMIT_MS / 2 || timeout >= MAX_TIMEOUT_MS) throw tooSlow(source, error);
    }
  }
}

/** Returns the CPU time of this process since `before`, in milliseconds. */
function spentMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function tooSlow(source: string, cause: unknown): OperationalError<WaitErrorCode> {
  return new OperationalError<WaitErrorCode>({
    code: "REGEX_TOO_SLOW",
    message: `the regex ${JSON.stringify(source)} was still searching the screen after ${SEARCH_LIMIT_MS} ms`,
    remedy: "use fewer open-ended repetitions, or wait for plain text",
    details: { source },
    cause,
  });
}
