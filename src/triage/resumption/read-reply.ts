import { questionKey } from "./question-key.ts";

export interface OpenQuestions {
  /** Keys of the questions that a number in the reply refers to, by place. */
  numbered: readonly string[];
  /** Keys that a quotation may name. */
  all: readonly string[];
}

export interface ReadAnswer {
  key: string;
  /** null: the reply does not say which of its words. */
  text: string | null;
}

const MAX_LINES = 2_000;
const MAX_ANSWER_CHARACTERS = 2_000;

/** To which questions a reply belongs, by what it quotes or numbers; if it does neither, to all of the last round. */
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

/** Whether a line begins an answer: to which question, and what of the line is already part of it. */
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
