import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface DocumentedCommand {
  /** `docs/operating.md:12` */
  where: string;
  program: "afk-triage" | "agent-tty" | "npm";
  words: string[];
}

export function documents(): string[] {
  const pages = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", "CONTRIBUTING.md", ...pages.map((name) => `docs/${name}`)];
}

/** Returns this project's commands in `sh` blocks and in lines of text. */
export function commandsIn(file: string, text = readFileSync(join(ROOT, file), "utf8")): DocumentedCommand[] {
  let language: string | null = null;
  return text.split("\n").flatMap((line, index) => {
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence !== null) {
      language = language === null ? (fence[1] ?? "") : null;
      return [];
    }
    const written = language === null ? inlineCode(line) : language === "sh" ? shellCommands(line) : [];
    return written.flatMap((command) => {
      const parsed = programOf(command);
      return parsed === null ? [] : [{ where: `${file}:${index + 1}`, ...parsed }];
    });
  });
}

function inlineCode(line: string): string[] {
  return [...line.matchAll(/`((?:afk-triage|agent-tty|npm run) [^`]+)`/g)].map((match) => match[1] ?? "");
}

/** Splits a line into its commands, without comments; `a && b` are two. */
function shellCommands(line: string): string[] {
  return line.replace(/(?:^|\s)#.*$/, "").split("&&");
}

function programOf(command: string): Pick<DocumentedCommand, "program" | "words"> | null {
  const match = /^\s*(?:npx )?(node dist\/afk-triage\.js|afk-triage|agent-tty|npm run)\s+(.+)$/.exec(command);
  if (match === null) return null;
  const program = match[1] === "npm run" ? "npm" : match[1] === "agent-tty" ? "agent-tty" : "afk-triage";
  return { program, words: (match[2] ?? "").trim().split(/\s+/).map(filledIn) };
}

/** Replaces a placeholder of the documents by a valid value. */
function filledIn(word: string): string {
  const values: Record<string, string> = {
    N: "142",
    TEXT: "text",
    ID: "20261121T093000Z",
    SESSION: "01J9Z6Q0",
  };
  return values[word] ?? word.replaceAll(/^["']|["']$/g, "");
}
