import {
  codeSpan,
  joinMarkdown,
  listItem,
  ourMarkdown,
  type Markdown,
  redactSecrets,
  shownText,
  textAsCode,
  textAsLine,
  textAsMarkdown,
  truncateWithNotice,
} from "../../github/index.ts";

/** How much of every foreign text and list a comment shows. */
export interface TextBudget {
  textChars: number;
  codeChars: number;
  listItems: number;
}

const SPAN_MAX_CHARACTERS = 200;

/**
 * The one way by which words of a model, a reporter or a program get into a comment: cut to the budget, then laid out as
 * plain text (S7, S10, S24). In this order, because a cut through finished Markdown could open what is closed.
 */
export class ForeignText {
  readonly #budget: TextBudget;

  constructor(budget: TextBudget) {
    this.#budget = budget;
  }

  /** Blocks. They must stand on lines of their own, or be a single line. */
  prose(text: string): Markdown {
    return textAsMarkdown(cut(text, this.#budget.textChars));
  }

  /** The rest of a sentence of ours. */
  line(text: string): Markdown {
    return textAsLine(cut(text, this.#budget.textChars));
  }

  list(items: readonly string[], kind: "bullets" | "numbers" | "tasks"): Markdown {
    const shown = items.slice(0, this.#budget.listItems).map((item, index) => {
      const content = this.prose(item);
      if (kind === "numbers") return listItem(`${index + 1}. `, content);
      return listItem(kind === "tasks" && mayHaveBox(content) ? "- [ ] " : "- ", content);
    });
    const hidden = items.length - shown.length;
    const list = joinMarkdown(shown, "\n");
    return hidden === 0 ? list : ourMarkdown`${list}\n\n(${hidden} more not shown)`;
  }

  code(text: string, language: string): Markdown {
    return textAsCode(cut(text, this.#budget.codeChars), language);
  }

  /** One short line as a code span. */
  span(text: string): Markdown {
    return codeSpan(redactSecrets(shownText(text)).slice(0, SPAN_MAX_CHARACTERS));
  }
}

/**
 * A box goes before words: before a list or a code block it would take their first line for its own. And `[x]` anywhere in a
 * line, even in a code span, ticks the box of that line in GitHub's renderer (cmark-gfm searches the line for it).
 */
function mayHaveBox(content: Markdown): boolean {
  return !/^(?:`{3}|- |\d+\. )|\[x\]/i.test(content);
}

/** Secrets go first, because half a token is not recognised any more. */
function cut(text: string, maxChars: number): string {
  return truncateWithNotice(redactSecrets(text), maxChars);
}
