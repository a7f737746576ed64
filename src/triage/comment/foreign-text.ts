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

/** The limits on the untrusted texts and lists in a comment. */
export interface TextBudget {
  textChars: number;
  codeChars: number;
  listItems: number;
}

const SPAN_MAX_CHARACTERS = 200;

/**
 * The only way in which text from a model, a reporter or a program gets into a comment: cut to the budget, then formatted as
 * plain text (S7, S10, S24). The cut comes first, because cutting finished Markdown could remove a closing delimiter.
 */
export class ForeignText {
  readonly #budget: TextBudget;

  constructor(budget: TextBudget) {
    this.#budget = budget;
  }

  /** Returns the text as Markdown blocks, which must be on lines of their own unless they are a single line. */
  prose(text: string): Markdown {
    return textAsMarkdown(cut(text, this.#budget.textChars));
  }

  /** Returns the text as one line, for use inside one of our sentences. */
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

  /** Returns one short line as a code span. */
  span(text: string): Markdown {
    return codeSpan(redactSecrets(shownText(text)).slice(0, SPAN_MAX_CHARACTERS));
  }
}

/**
 * Returns whether the item can have a check box. A check box before a list or a code block would absorb the block's first line. And
 * `[x]` anywhere in a line, even in a code span, ticks the box of that line in GitHub's renderer (cmark-gfm searches the line for
 * it).
 */
function mayHaveBox(content: Markdown): boolean {
  return !/^(?:`{3}|- |\d+\. )|\[x\]/i.test(content);
}

/** Returns the text cut to `maxChars`. Secrets are redacted before the cut, because a truncated token would not be recognised. */
function cut(text: string, maxChars: number): string {
  return truncateWithNotice(redactSecrets(text), maxChars);
}
