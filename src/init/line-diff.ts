/** The number of unchanged lines shown around a change. */
const CONTEXT = 2;

/**
 * Returns the difference between `before` and `after`, line by line: ` same`, `-gone`, `+new`; `…` replaces unchanged stretches.
 * Time and memory grow with the product of both lengths, so use it only for files that people write.
 */
export function lineDiff(before: string, after: string): string[] {
  const [old, wanted] = [before.split("\n"), after.split("\n")];
  const common = commonLengths(old, wanted);
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < wanted.length) {
    if (i < old.length && j < wanted.length && old[i] === wanted[j]) {
      lines.push(` ${old[i]}`);
      [i, j] = [i + 1, j + 1];
    } else if (j >= wanted.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`-${old[i]}`);
      i += 1;
    } else {
      lines.push(`+${wanted[j]}`);
      j += 1;
    }
  }
  return aroundChanges(lines);
}

/** Returns the table of the lengths of the longest common subsequences of the rests from (i, j) on. */
function commonLengths(old: readonly string[], wanted: readonly string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () =>
    Array.from({ length: wanted.length + 1 }, () => 0),
  );
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row = [], next = []] = [table[i], table[i + 1]];
    for (let j = wanted.length - 1; j >= 0; j -= 1)
      row[j] = old[i] === wanted[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
  }
  return table;
}

function aroundChanges(lines: readonly string[]): string[] {
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith(" "));
  return lines.flatMap((line, index) => {
    if (isNear(index)) return [line];
    return index === 0 || isNear(index - 1) ? ["…"] : [];
  });
}
