/**
 * Breaks lines that are longer than the terminal between their words. No word is cut, because a cut name or path is useless to
 * copy. What does not go to a terminal stays as it is. Characters count one column each: the tables of wider ones would slow down
 * every command.
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
