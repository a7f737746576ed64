const STOP_WORDS = new Set(
  "about also and any are but can does each for from has have into its just like more not now once only other our out some that the their them then there they this too very want was were what when which will with would you your".split(
    " ",
  ),
);

/** Returns the content words of a text, cut to five letters, so that "durations" and "duration" are the same word. */
export function wordStems(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.slice(0, 5)));
}

/** Returns how many of `wanted` are in `present`. */
export function sharedCount(wanted: ReadonlySet<string>, present: ReadonlySet<string>): number {
  return [...wanted].filter((word) => present.has(word)).length;
}

/** Returns Markdown without its fenced code blocks: prose is compared, code is run. */
export function withoutFences(markdown: string): string {
  return markdown.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[ \t]*$|(?![\s\S]))/gm, "");
}

/** Returns the sentences and lines of prose. */
export function sentences(markdown: string): string[] {
  return withoutFences(markdown)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replace(/\s*\n\s*/g, " ").split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
