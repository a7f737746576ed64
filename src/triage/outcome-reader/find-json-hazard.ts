import { redactSecrets } from "../../github/index.ts";
import type { OutcomeProblem } from "./outcome-problem.ts";

/** Much deeper than the schema needs. */
const MAX_DEPTH = 16;

/** A relevant token: a string, with the colon if it is a key, or a bracket. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/gs;

/**
 * Returns the first hazard that JSON.parse accepts silently, or null. Hazards are duplicate keys (parsers disagree on which one
 * counts), `__proto__` and deep nesting. `text` must be well-formed JSON.
 */
export function findJsonHazard(text: string): OutcomeProblem | null {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      open.push(new Set());
      if (open.length > MAX_DEPTH)
        return { code: "too-deep", message: `nested deeper than ${MAX_DEPTH} levels` };
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (string !== undefined && colon !== undefined) {
      const problem = checkKey(String(JSON.parse(string)), open.at(-1));
      if (problem !== null) return problem;
    }
  }
  return null;
}

function checkKey(key: string, seen: Set<string> | undefined): OutcomeProblem | null {
  if (key === "__proto__") return { code: "forbidden-key", message: "the key __proto__ is not allowed" };
  if (seen?.has(key) === true) {
    return {
      code: "duplicate-key",
      message: `the key ${JSON.stringify(redactSecrets(key).slice(0, 80))} is given twice`,
    };
  }
  seen?.add(key);
  return null;
}
