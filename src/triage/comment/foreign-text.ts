import {
  fenced,
  type Issue,
  type OutboundRules,
  plainText,
  redactSecrets,
  sanitiseOutbound,
  truncateWithNotice,
} from "../../github/index.ts";

/** How much of every foreign text and list a comment shows. */
export interface TextBudget {
  textChars: number;
  codeChars: number;
  listItems: number;
}

/**
 * The one way by which words of a model, a reporter or a program get into a comment: cut to the budget, then made
 * inert (S7, S10). In this order, because a cut through finished Markdown could open what the sanitiser has closed.
 */
export class ForeignText {
  readonly #budget: TextBudget;
  readonly #inert: (markdown: string) => string;

  constructor(budget: TextBudget, inert: (markdown: string) => string) {
    this.#budget = budget;
    this.#inert = inert;
  }

  /** Markdown blocks. Must stand on lines of its own, or be a single line. */
  prose(text: string): string {
    // First, because half a token is not recognised any more.
    return this.#inert(truncateWithNotice(redactSecrets(text), this.#budget.textChars));
  }

  list(items: readonly string[], kind: "bullets" | "numbers" | "tasks"): string {
    const shown = items.slice(0, this.#budget.listItems).map((item, index) => {
      const sign = kind === "numbers" ? `${index + 1}. ` : "- ";
      const text = this.prose(item);
      // A checkbox before a block (a fence, say) would turn that block's first line into live text.
      const box = kind === "tasks" && !text.includes("\n") ? "[ ] " : "";
      // Indented to its item's text, a block cannot leave the item.
      return sign + box + text.replaceAll("\n", `\n${" ".repeat(sign.length)}`);
    });
    const hidden = items.length - shown.length;
    return [...shown, ...(hidden === 0 ? [] : [`\n(${hidden} more not shown)`])].join("\n");
  }

  code(text: string, language: string | null): string {
    const inert = redactSecrets(plainText(text)).trimEnd();
    return fenced(truncateWithNotice(inert, this.#budget.codeChars), language).trim();
  }

  /** One short line as a code span. */
  span(text: string): string {
    const inert = redactSecrets(plainText(text))
      .replaceAll(/[\s`|]+/g, " ")
      .trim();
    return inert === "" ? "(none)" : `\`${inert.slice(0, 200)}\``;
  }
}

/** More signs of a number are no explanation, but a trace on as many issues. */
const MAX_REFERENCES = 20;

/** Makes the texts of one comment safe to publish on the issue. */
export function inertOn(issue: Issue): (markdown: string) => string {
  const rules = outboundRules(issue);
  let references = 0;
  return (markdown) => {
    references += markdown.match(/#|&num;/gi)?.length ?? 0;
    return sanitiseOutbound(markdown, references > MAX_REFERENCES ? { ...rules, repo: null } : rules);
  };
}

/** Only files of this repository may be linked: a link to an issue would leave a trace on that issue. */
function outboundRules({ author, ref, url }: Issue): OutboundRules {
  const root = new URL("../", url).href;
  return {
    reporterLogin: author === null || author.isBot ? null : author.login,
    repo: ref.repo,
    allowedUrlPrefixes: [`${root}blob/`, `${root}tree/`],
  };
}
