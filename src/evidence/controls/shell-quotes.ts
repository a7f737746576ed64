/** Matches options that are followed by the text of a program. */
const BEFORE_PROGRAM = /(?:\s(?:-\w*[epc]|--eval|--print)\s+|\$\(\s*)$/;
const DOCUMENT = /<<-?[ \t]*(?:(["'])(\w+)\1|\\?([A-Za-z_]\w*))/y;
/** Matches words of a line whose here-document is a shell script. */
const FOR_SHELL = /\b(?:ba|da|z)?sh\b/;
/** Matches a quote in the middle of a text in single quotes: `'it'\''s'`, `'it'"'"'s'`. */
const QUOTE_BETWEEN = /'(?:\\'|"'")'/y;
/** Matches words before a quoted text that a shell compares or searches for, and that is therefore no program. */
const COMPARED = /(?:\bgrep\s[^\n|;&]{0,60}|\s[!=]?=\s+)$/;
const MAX_DEPTH = 10;
const MAX_DOCUMENTS = 50;

/**
 * Returns a shell script in which program text is no longer in shell quotes. Quotes inside program text are kept. Comments and the
 * text of here-documents are kept as they are, because an apostrophe in them does not begin a quotation.
 */
export function unquoted(script: string): string {
  return new Reader(script.replace(/^#![^\n]*/, "")).read(0);
}

/** Reads a text once, from left to right. Quotes that are never closed end with the text. */
class Reader {
  readonly #text: string;
  #at = 0;
  /** The here-documents that begin after the current line. */
  #documents: { mark: string; isShell: boolean }[] = [];
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads to the end; in a command substitution, to its closing parenthesis. */
  read(depth: number): string {
    const parts: string[] = [];
    for (let open = 0; this.#at < this.#text.length;) {
      const character = this.#text[this.#at] ?? "";
      if (character === ")" && depth > 0 && open === 0) break;
      if (character === "(") open += 1;
      if (character === ")") open -= 1;
      parts.push(this.#next(character, depth));
    }
    return parts.join("");
  }

  #next(character: string, depth: number): string {
    switch (character) {
      case "'":
        return this.#inSingleQuotes();
      case '"':
        return this.#inDoubleQuotes(depth);
      case "\\":
        return this.#take(2);
      case "#":
        return /(?:^|[\s;&|(])$/.test(this.#before(1)) ? this.#take(this.#lengthTo("\n")) : this.#take(1);
      case "<":
        return this.#documentMark();
      case "\n":
        return this.#take(1) + this.#takeDocuments(depth);
      default:
        return this.#take(1);
    }
  }

  #inSingleQuotes(): string {
    const isCompared = COMPARED.test(this.#before(80));
    this.#at += 1;
    let text = "";
    for (let hasMore = true; hasMore;) {
      text += this.#take(this.#lengthTo("'"));
      const between = this.#match(QUOTE_BETWEEN)?.[0];
      hasMore = between !== undefined;
      if (hasMore) text += "\u0001";
      this.#at += between?.length ?? 1;
    }
    const isProgram = /[\u0001\n]/.test(text) || (text.includes("(") && !isCompared);
    return isProgram ? `\n${text.replaceAll("\u0001", "'")}\n` : `'${text}'`;
  }

  #inDoubleQuotes(depth: number): string {
    const isProgram = BEFORE_PROGRAM.test(this.#before(40));
    this.#at += 1;
    const parts: string[] = [];
    let commands = 0;
    for (let character = this.#text[this.#at]; character !== undefined && character !== '"';) {
      const isCommand = !isProgram && depth < MAX_DEPTH && this.#text.startsWith("$(", this.#at);
      if (isCommand) {
        commands += 1;
        parts.push(this.#take(2) + this.read(depth + 1) + this.#take(1));
      } else parts.push(this.#take(character === "\\" ? 2 : 1));
      character = this.#text[this.#at];
    }
    this.#at += 1;
    const text = parts.join("");
    if (isProgram) return `\n${text.replaceAll(/\\(["\\`$])/g, "$1")}\n`;
    return commands === 1 && parts.length === 1 ? text : `"${text}"`;
  }

  /** Reads the mark of a here-document, whose text begins after the line. */
  #documentMark(): string {
    const found = this.#text.startsWith("<<<", this.#at) ? undefined : this.#match(DOCUMENT);
    const mark = found?.[2] ?? found?.[3];
    if (found === undefined || mark === undefined || this.#count >= MAX_DOCUMENTS)
      return this.#take(/^<*/.exec(this.#text.slice(this.#at, this.#at + 3))?.[0].length ?? 1);
    this.#count += 1;
    const lineFrom = this.#text.lastIndexOf("\n", this.#at) + 1;
    const line = this.#text.slice(Math.max(lineFrom, this.#at - 200), this.#at + 200).split("\n")[0] ?? "";
    this.#documents.push({ mark, isShell: FOR_SHELL.test(line) });
    return this.#take(found[0].length);
  }

  #takeDocuments(depth: number): string {
    const documents = this.#documents.splice(0);
    return documents
      .map(({ mark, isShell }) => {
        const end = new RegExp(String.raw`^[ \t]*${mark}$`, "gm");
        end.lastIndex = this.#at;
        const found = end.exec(this.#text);
        if (found === null) return "";
        const body = this.#take(found.index - this.#at);
        const read = isShell && depth < MAX_DEPTH ? new Reader(body).read(0) : body;
        return read + this.#take(this.#lengthTo("\n"));
      })
      .join("");
  }

  #take(length: number): string {
    const taken = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  /** Returns the length of the text up to the next such character, or to the end. */
  #lengthTo(character: string): number {
    const found = this.#text.indexOf(character, this.#at);
    return (found === -1 ? this.#text.length : found) - this.#at;
  }

  #before(length: number): string {
    return this.#text.slice(Math.max(0, this.#at - length), this.#at);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text) ?? undefined;
  }
}
