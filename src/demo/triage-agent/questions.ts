import type { Findings } from "./findings.ts";
import { oneLine } from "./inert-text.ts";
import { outputExcerpt } from "./reproduction-record.ts";

/**
 * Returns the questions after the code was run and did not show the bug. They ask for differences between the reporter's
 * environment and this one.
 */
export function attemptQuestions(findings: Findings): string[] {
  const { checkout, nodeVersion, attempt } = findings;
  const seen = oneLine(outputExcerpt(attempt), 200);
  const version = checkout.version === null ? "the current code" : `version ${checkout.version}`;
  return [
    `With ${version} on node ${nodeVersion} your code printed \`${seen.replaceAll("`", "'")}\`. Does it still happen to you with ${version}?`,
    "Which version do you have installed (`npm ls` shows it), and which version of Node?",
    "If it still happens: is anything else involved, such as other input, a configuration or a wrapper around it?",
  ];
}

/** Returns the questions if there is no code. They ask for exactly what is missing. */
export function missingQuestions({ issue, mentioned, checkout }: Findings): string[] {
  const [first] = mentioned;
  const name = first === undefined ? "it" : `\`${first.name}\``;
  const text = [issue.body, ...issue.comments.map(({ body }) => body)].join("\n");
  const latest = checkout.version === null ? "" : `; the latest is ${checkout.version}`;
  return [
    `Which exact input do you pass to ${name}? An invented value is fine, as long as it shows the problem.`,
    `What does ${name} return or print for it, and what did you expect instead?`,
    ...(/\b\d+\.\d+\.\d+\b/.test(text) ? [] : [`Which version do you use (\`npm ls\` shows it${latest})?`]),
  ];
}

export const openEndedQuestions: string[] = [
  "What would you call, and what should come back? One or two examples are enough.",
  "What do you do today instead, and why does it not suffice?",
];
