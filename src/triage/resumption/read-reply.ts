import { questionKey } from "./question-key.ts";

export interface OpenQuestions {
  /** The keys of the questions that a number in the reply can refer to, in the order of the list. */
  numbered: readonly string[];
  /** The keys of the questions that a quotation can refer to. */
  all: readonly string[];
}

export interface ReadAnswer {
  key: string;
  /** null: the reply does not say which part of its text is the answer. */
  text: string | null;
}

const MAX_LINES = 2_000;
const MAX_ANSWER_CHARACTERS = 2_000;

/** Returns the questions that a reply answers: those that it quotes or numbers, or, if it does neither, all numbered ones. */
export function readReply(body: string, questions: OpenQuestions): ReadAnswer[] {
  const lines = body.replaceAll("\r\n", "\n").split("\n").slice(0, MAX_LINES);
  const byQuote = gather(lines, quotedQuestion(questions.all));
  const told = byQuote.length > 0 ? byQuote : gather(lines, numberedQuestion(questions.numbered));
  if (told.length > 0) return told;
  const [only, ...more] = questions.numbered;
  const words = withoutQuotes(lines);
  if (only === undefined || words === "") return [];
  return [only, ...more].map((key) => ({ key, text: more.length === 0 ? bounded(words) : null }));
}

/**
 * If a line begins an answer, returns the question's key and the part of the line that already belongs to the answer; otherwise
 * null.
 */
type Heading = (line: string) => { key: string; rest: string } | null;

function gather(lines: readonly string[], headingOf: Heading): ReadAnswer[] {
  const found = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading === null) {
      current?.push(line);
      continue;
    }
    current = found.get(heading.key) ?? [];
    current.push(heading.rest);
    found.set(heading.key, current);
  }
  return [...found]
    .map(([key, said]) => ({ key, text: bounded(withoutQuotes(said)) }))
    .filter(({ text }) => text !== "");
}

function quotedQuestion(keys: readonly string[]): Heading {
  const known = new Set(keys);
  return (line) => {
    const quoted = /^ {0,3}>\s?(.*)$/.exec(line)?.[1]?.replace(/^\s*(?:\d{1,2}[.)]|[-*])\s+/, "");
    const key = quoted === undefined ? null : questionKey(quoted);
    return key !== null && known.has(key) ? { key, rest: "" } : null;
  };
}

function numberedQuestion(keys: readonly string[]): Heading {
  return (line) => {
    const [, number = "", rest = ""] = /^ {0,3}(\d{1,2})[.):]\s+(.*)$/.exec(line) ?? [];
    const key = keys[Number(number) - 1];
    return number === "" || key === undefined ? null : { key, rest };
  };
}

function withoutQuotes(lines: readonly string[]): string {
  return lines
    .filter((line) => !/^ {0,3}>/.test(line))
    .join("\n")
    .trim();
}

function bounded(text: string): string {
  return text.slice(0, MAX_ANSWER_CHARACTERS);
}
