declare const brand: unique symbol;

/**
 * Markdown that may be published: written by this program, or made from foreign text by the functions of this folder.
 * A plain string is not assignable to it, so that no foreign text reaches a comment as Markdown (S24).
 */
export type Markdown = string & { readonly [brand]: "published" };

/**
 * Markdown of our own wording. What is put in must be Markdown already, or a number: the compiler refuses foreign text.
 *
 * @example ourMarkdown`Commit: ${codeSpan(commit)}`
 */
export function ourMarkdown(
  words: TemplateStringsArray,
  ...values: readonly (Markdown | number)[]
): Markdown {
  return String.raw({ raw: words }, ...values) as Markdown;
}

/** Parts of one text, in order, with our own words between them. */
export function joinMarkdown(parts: readonly Markdown[], between: string): Markdown {
  return parts.join(between) as Markdown;
}

export const EMPTY_MARKDOWN: Markdown = ourMarkdown``;
