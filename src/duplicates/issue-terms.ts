import { countWords, plainBody, wordsOf } from "./text/index.ts";

/** An issue as the index takes it. */
export interface IssueText {
  number: number;
  title: string;
  body: string;
  createdMs: number;
  state: "open" | "closed";
  /** Numeric id of the account; null: not known, or deleted. */
  reporter: number | null;
}

/** The words of an issue, by field, with their counts. */
export interface IssueTerms {
  title: Map<string, number>;
  body: Map<string, number>;
  titleLength: number;
  bodyLength: number;
}

/** Pure: reads title and body into index terms. */
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

/** The prefix that a reporter or maintainer puts before a title, such as `iOS` in `iOS: …` or `docs` in `[docs] …`; null without one. */
export function titlePrefix(title: string): string | null {
  const match = /^\s*(?:\[([^\]\n]{1,30})\]|([\p{L}\p{N}_./ -]{1,30}?)\s*:\s)/u.exec(title);
  return (match?.[1] ?? match?.[2])?.trim().toLowerCase() ?? null;
}
