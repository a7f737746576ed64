import { countWords, plainBody, wordsOf } from "./text/index.ts";

/** The parts of an issue that are indexed. */
export interface IssueText {
  number: number;
  title: string;
  body: string;
  createdMs: number;
  state: "open" | "closed";
  /** The account's numeric id; null: unknown or deleted. */
  reporter: number | null;
}

/** The words of an issue, by field, with their counts. */
export interface IssueTerms {
  title: Map<string, number>;
  body: Map<string, number>;
  titleLength: number;
  bodyLength: number;
}

/** Returns the index terms of an issue's title and body. Pure. */
export function termsOf(issue: Pick<IssueText, "title" | "body">): IssueTerms {
  const title = wordsOf(plainBody(issue.title));
  const body = wordsOf(plainBody(issue.body));
  return {
    title: countWords(title),
    body: countWords(body),
    titleLength: title.length,
    bodyLength: body.length,
  };
}

/** Returns the lower-case prefix of a title, such as `ios` of `iOS: …` or `docs` of `[docs] …`; null: there is none. */
export function titlePrefix(title: string): string | null {
  const match = /^\s*(?:\[([^\]\n]{1,30})\]|([\p{L}\p{N}_./ -]{1,30}?)\s*:\s)/u.exec(title);
  return (match?.[1] ?? match?.[2])?.trim().toLowerCase() ?? null;
}
