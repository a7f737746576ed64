interface Group {
  repeats: boolean;
  starts: string[];
  atStart: boolean;
}

const ATOM_CLASS = /\[\^?\]?(?:\\.|[^\]\\])*\]/y;
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;

/**
 * Returns whether a regular expression can take exponential time on text that almost matches: it has a repeated group that itself
 * contains a repetition, or alternatives that can begin alike. In doubt it returns true.
 */
export function canBacktrackCatastrophically(source: string): boolean {
  const groups: Group[] = [newGroup()];
  let at = 0;
  while (at < source.length) {
    const group = groups.at(-1) ?? newGroup();
    const character = source.charAt(at);
    if (character === "(") {
      groups.push(newGroup());
      at += groupOpening(source, at);
    } else if (character === ")") {
      at += 1;
      const closed = groups.pop() ?? newGroup();
      const parent = groups.at(-1);
      const quantifier = matchAt(QUANTIFIER, source, at);
      if (quantifier !== null && quantifier !== "?" && (closed.repeats || beginAlike(closed))) return true;
      if (parent !== undefined) noteAtom(parent, "(", closed.repeats || quantifier !== null);
      at += quantifier?.length ?? 0;
    } else if (character === "|") {
      group.atStart = true;
      at += 1;
    } else {
      const atom = atomAt(source, at);
      at += atom.length;
      const quantifier = matchAt(QUANTIFIER, source, at);
      noteAtom(group, atom, quantifier !== null);
      at += quantifier?.length ?? 0;
    }
  }
  return false;
}

function newGroup(): Group {
  return { repeats: false, starts: [], atStart: true };
}

function noteAtom(group: Group, atom: string, isQuantified: boolean): void {
  if (group.atStart) group.starts.push(atom);
  group.atStart = false;
  group.repeats ||= isQuantified;
}

/**
 * Returns whether two alternatives of a group can begin with the same text. Alternatives that start with different plain
 * characters cannot.
 */
function beginAlike(group: Group): boolean {
  if (group.starts.length < 2) return false;
  const isOpen = (atom: string): boolean => atom.length > 1 || atom === "." || atom === "(";
  return group.starts.some(isOpen) || new Set(group.starts).size < group.starts.length;
}

function atomAt(source: string, at: number): string {
  if (source.charAt(at) === "\\") return source.slice(at, at + 2);
  return matchAt(ATOM_CLASS, source, at) ?? source.charAt(at);
}

function groupOpening(source: string, at: number): number {
  return matchAt(/\((?:\?(?:[:=!]|<[=!]|<\w+>))?/y, source, at)?.length ?? 1;
}

function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}
