import { EMPTY_MARKDOWN, joinMarkdown, type Markdown, ourMarkdown } from "../../github/index.ts";
import type { DeniedRequests } from "../denied-requests.ts";
import type { Decision } from "../policy/index.ts";
import type { CommentValues } from "./comment-values.ts";
import type { ForeignText } from "./foreign-text.ts";

/** The folded parts of the templates; a comment without a folded part does not mention denied requests. */
const FOLDS = ["tried-details", "evidence-details"] as const;

/**
 * Adds what the Agent Firewall denied to the folded part of a comment. The comment on a security report stays unchanged (S16).
 */
export function withDenied(
  values: CommentValues,
  { comment }: Decision,
  denied: DeniedRequests | null,
  text: ForeignText,
): CommentValues {
  const isSecurity = comment.template === "ready-for-human" && comment.why.type === "security-report";
  if (denied === null || isSecurity) return values;
  const line = deniedLine(denied, text);
  const folds = FOLDS.filter((fold) => fold in values).map((fold) => {
    const before = values[fold] ?? EMPTY_MARKDOWN;
    return [fold, before === EMPTY_MARKDOWN ? line : joinMarkdown([before, line], "\n\n")] as const;
  });
  return { ...values, ...Object.fromEntries(folds) };
}

function deniedLine({ count, hosts }: DeniedRequests, text: ForeignText): Markdown {
  // Digits are grouped, because GitHub turns seven or more digits into a link to a commit.
  const number = text.line(count.toLocaleString("en"));
  const what = count === 1 ? ourMarkdown`1 network request` : ourMarkdown`${number} network requests`;
  const where = joinMarkdown(
    hosts.map((host) => text.span(host)),
    ", ",
  );
  return hosts.length === 0
    ? ourMarkdown`The Agent Firewall denied ${what} during the triage.`
    : ourMarkdown`The Agent Firewall denied ${what} during the triage, to ${where}.`;
}
