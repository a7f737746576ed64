/**
 * Returns the text with line breaks between words where a line is longer than the terminal is wide. No word is cut, because a cut
 * name or path cannot be copied. Text that does not go to a terminal is returned unchanged. Every character counts as one column,
 * because loading a table of wide characters would slow down every command.
 */
export function wrapped(
  text: string,
  { isTTY, columns }: Pick<NodeJS.WriteStream, "isTTY" | "columns">,
): string {
  if (!isTTY || columns === 0) return text;
  let length = 0;
  return text.replaceAll(/ *([^ \n]+)|\n/g, (part, word?: string) => {
    length += part.length;
    if (word === undefined) length = 0;
    if (length <= columns || length === part.length) return part;
    length = word?.length ?? 0;
    return `\n${word}`;
  });
}
