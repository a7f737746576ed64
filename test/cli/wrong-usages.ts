import { readFileSync } from "node:fs";
import { join } from "node:path";

export const WRONG_USAGES = join(import.meta.dirname, "../../docs/wrong-usages.md");

/** One row of docs/wrong-usages.md. */
export interface WrongUsage {
  words: string[];
  /** The content of config.yml; null if there is no such file. */
  config: string | null;
  env: Record<string, string>;
  exitCode: number;
  /** The text on stderr, with its lines joined by ` ⏎ `. */
  message: string;
}

export function wrongUsages(text = readFileSync(WRONG_USAGES, "utf8")): WrongUsage[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("\\|", "|"));
      const [usage = "", given = "", exitCode = "", message = ""] = cells.map((cell) =>
        cell.replace(/^`+ ?(.*?) ?`+$/, "$1"),
      );
      const variable = /^([A-Z_]+)=(.*)$/.exec(given);
      return {
        words: [...usage.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
        config: given === "" || variable !== null ? null : given.replaceAll("⏎", "\n"),
        env: variable === null ? {} : { [variable[1] ?? ""]: variable[2] ?? "" },
        exitCode: Number(exitCode),
        message,
      };
    });
}
