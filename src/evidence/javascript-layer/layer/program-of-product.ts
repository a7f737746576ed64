import { writeFileSync, writeSync } from "node:fs";
import { byOf, candidateText, candidateValue, isLeaf, isOfSome, only } from "./candidate.ts";
import { candidate, isDeaf } from "./config.ts";
import { answered, note, remember } from "./memory.ts";
import { ofArguments } from "./of-arguments.ts";
import { datumBeside } from "./script-data.ts";

/** Runs when a program of the product is started. A deaf program ends at once, with the candidate as its output or exit code. */
export function program(): void {
  const args = process.argv.slice(2);
  const by = byOf("program", args);
  note("program", undefined, { t: "object", v: {} }, { by });
  if (!isDeaf) return;
  remember();
  const output = isOfSome ? outputOfSome(args, by) : { value: outputOfAll() };
  if (output === null) return;
  const { value } = output;
  if (isLeaf) process.exit(Number.isInteger(value) ? (value as number) & 255 : 1);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (value !== undefined && writesTo(args, text)) process.exit(0);
  if (value !== "") writeSync(1, `${text}\n`);
  process.exit(0);
}

function outputOfAll(): unknown {
  const isNoOutput = candidateText.startsWith("throw") || ofArguments.has(candidateText);
  return candidate === null || isNoOutput ? "" : candidateValue([]);
}

/** Returns the output of a program if only some of its runs get the candidate; null: this run is unchanged. */
function outputOfSome(args: readonly string[], by: string): { value: unknown } | null {
  if (only === "beside") return datumBeside(args, { t: "string", v: "" });
  return only === "last" && by === answered.last && !["other", "earlier"].includes(candidateText)
    ? { value: candidateValue([]) }
    : null;
}

/** Writes the text to the output file that the arguments name. Returns false if they name none or it cannot be written. */
function writesTo(args: readonly string[], text: string): boolean {
  const at = args.findIndex((one) => /^(?:-o|--?out(?:put)?(?:-?file)?|--dest)(?:=|$)/i.test(one));
  const option = args[at];
  if (option === undefined) return false;
  const file = option.includes("=") ? option.slice(option.indexOf("=") + 1) : args[at + 1];
  if (!file || file.startsWith("-")) return false;
  try {
    writeFileSync(file, text);
    return true;
  } catch {
    return false;
  }
}
