import { lineAsMarkdown } from "./published-line.ts";
import { joinMarkdown, type Markdown } from "./published-markdown.ts";
import { shownText, truncateWithNotice } from "./plain-text.ts";
import { redactSecrets } from "./secrets.ts";
import { type TextBlock, textBlocks } from "./text-blocks.ts";

/** The maximum length of a comment. GitHub refuses a longer one with status 422. */
export const COMMENT_MAX_CHARACTERS = 65_536;
const LINE_MAX_CHARACTERS = 4_000;

/**
 * Returns untrusted text as Markdown that is safe to publish in our name (S7, S10, S18, S24): paragraphs, flat lists and code
 * blocks that are built here, with nothing in them that GitHub, a browser, a terminal or a CI log acts on. The cost is linear in
 * the length of the text.
 */
export function textAsMarkdown(text: string): Markdown {
  return joinMarkdown(textBlocks(inert(text).trim()).map(blockAsMarkdown), "\n\n");
}

/** Returns untrusted text as one line: for a table cell, the rest of a sentence, or a list item. */
export function textAsLine(text: string): Markdown {
  const line = inert(text).replaceAll(/\s+/g, " ").trim();
  return lineAsMarkdown(truncateWithNotice(line, LINE_MAX_CHARACTERS).replaceAll("\n", " "));
}

/**
 * Returns untrusted text as a code block that the text cannot end. `language` is used only if GitHub only highlights its syntax.
 */
export function textAsCode(text: string, language: string): Markdown {
  return fenced(inert(text).trimEnd().split("\n"), language);
}

function inert(text: string): string {
  return redactSecrets(shownText(text));
}

function blockAsMarkdown(block: TextBlock): Markdown {
  switch (block.type) {
    case "paragraph":
      return joinMarkdown(block.lines.map(lineAsMarkdown), "\n");
    case "code":
      return fenced(block.lines, block.language);
    case "list": {
      const { first, items } = block;
      const written = items.map((lines, index) =>
        listItem(first === null ? "- " : `${first + index}. `, joinMarkdown(lines.map(lineAsMarkdown), "\n")),
      );
      return joinMarkdown(written, "\n");
    }
    default:
      return block satisfies never;
  }
}

/**
 * Returns a list item. Its content is indented to the item's text, so that no block can leave the item. `sign`: `- `, `1. `, `- [
 * ] `.
 */
export function listItem(sign: "- " | "- [ ] " | `${number}. `, content: Markdown): Markdown {
  const width = sign === "- [ ] " ? 2 : sign.length;
  return `${sign}${content.replaceAll(/\n(?!\n|$)/g, `\n${" ".repeat(width)}`)}` as Markdown;
}

/** Languages that GitHub only highlights. It draws or interprets others (`mermaid`, `math`, `geojson`, `suggestion`). */
const LANGUAGES = new Set(
  (
    "bash c cpp console cs csharp css csv diff dockerfile go graphql html http ini java javascript js json json5 jsonc jsx " +
    "kotlin log lua make makefile markdown md patch perl php plaintext powershell python py rb ruby rust rs scala sh shell " +
    "sql swift text toml ts tsx txt typescript xml yaml yml zsh"
  ).split(" "),
);

/**
 * Returns lines as a fenced code block. The fence is longer than any run of backticks inside. A space is inserted before text that
 * a program would take as a command (`/close`).
 */
function fenced(lines: readonly string[], language: string): Markdown {
  const code = lines.map((line) => line.replace(/^(?=\/[a-z][\w-]*(?:\s|$))/i, " ")).join("\n");
  const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const known = LANGUAGES.has(language.toLowerCase()) ? language.toLowerCase() : "";
  return `${fence}${known}\n${code}\n${fence}` as Markdown;
}
