declare const brand: unique symbol;

/**
 * Markdown that may be published: written by this program, or made from untrusted text by the functions of this folder. A plain
 * string is not assignable to it, so that no untrusted text reaches a comment as Markdown (S24).
 */
export type Markdown = string & { readonly [brand]: "published" };

/**
 * Returns Markdown from this program's own words. Inserted values must be Markdown or numbers: the compiler rejects untrusted text.
 *
 * @example ourMarkdown`Commit: ${codeSpan(commit)}`
 */
export function ourMarkdown(
  words: TemplateStringsArray,
  ...values: readonly (Markdown | number)[]
): Markdown {
  return String.raw({ raw: words }, ...values) as Markdown;
}

/** Returns the parts of a text in order, with `between` between them, which must be this program's own text. */
export function joinMarkdown(parts: readonly Markdown[], between: string): Markdown {
  return parts.join(between) as Markdown;
}

export const EMPTY_MARKDOWN: Markdown = ourMarkdown``;
