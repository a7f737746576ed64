import { type Context, createContext, Script } from "node:vm";
import { OperationalError } from "../kit/index.ts";
import type { WaitErrorCode } from "./condition.ts";

const SEARCH_LIMIT_MS = 100;

const question = { source: "", text: "" };
let context: Context | null = null;
const search = new Script("new RegExp(source, 'm').exec(text)?.[0] ?? null");

/**
 * The first match of a multi-line regular expression, or null. Patterns that pass the check for exponential time can
 * still take polynomial time on a full screen; the engine interrupts those. Throws REGEX_TOO_SLOW.
 */
export function searchBounded(source: string, text: string): string | null {
  // One realm for all searches: making one costs more than most searches.
  context ??= createContext(question, { codeGeneration: { strings: false, wasm: false } });
  Object.assign(question, { source, text });
  try {
    return search.runInContext(context, { timeout: SEARCH_LIMIT_MS }) as string | null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new OperationalError<WaitErrorCode>({
      code: "REGEX_TOO_SLOW",
      message: `the regex ${JSON.stringify(source)} was still searching the screen after ${SEARCH_LIMIT_MS} ms`,
      remedy: "use fewer open-ended repetitions, or wait for plain text",
      details: { source },
      cause: error,
    });
  }
}
