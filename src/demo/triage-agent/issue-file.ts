import { readFileSync } from "node:fs";
import { inert } from "./inert-text.ts";

/** The parts of an `afk-triage/issue@1` file that the demo's Triage Agent needs. All text in it is untrusted. */
export interface IssueFile {
  repo: string;
  number: number;
  title: string;
  body: string;
  author: string;
  labels: string[];
  comments: IssueFileComment[];
  /** The facts that earlier triage notes established. */
  established: string[];
}

export interface IssueFileComment {
  author: string;
  isReporter: boolean;
  body: string;
}

const MAX_TEXT_CHARACTERS = 100_000;

/** Returns the issue in a file. Throws an error with a one-line message for people if it is not an issue. */
export function readIssueFile(path: string): IssueFile {
  const file = record(JSON.parse(readFileSync(path, "utf8")), "the issue file");
  if (file["schema"] !== "afk-triage/issue@1") {
    throw new Error(`${path} has schema ${JSON.stringify(file["schema"])}; expected "afk-triage/issue@1"`);
  }
  const number = file["number"];
  if (typeof number !== "number" || !Number.isInteger(number) || number < 1) {
    throw new Error(`${path} names no issue number`);
  }
  return {
    repo: text(file["repo"]),
    number,
    title: text(file["title"]),
    body: text(file["body"]),
    author: text(file["author"]),
    labels: texts(file["labels"]),
    comments: (Array.isArray(file["comments"]) ? file["comments"] : []).map(comment),
    established: texts(file["established"]),
  };
}

function comment(value: unknown): IssueFileComment {
  const fields = record(value, "a comment");
  return {
    author: text(fields["author"]),
    isReporter: fields["isReporter"] === true,
    body: text(fields["body"]),
  };
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Error(`${name} is not a JSON object`);
  return value as Record<string, unknown>;
}

function text(value: unknown): string {
  return typeof value === "string" ? inert(value).slice(0, MAX_TEXT_CHARACTERS) : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string").map(text) : [];
}
