export { sanitiseInbound, type SanitisedText } from "./sanitise-inbound.ts";
export { type HiddenTextFlag, type HiddenTextKind } from "./hidden-text.ts";
export { whyClosed } from "./closed-repository.ts";
export { removeInvisible } from "./invisible-characters.ts";
export { normalisedText } from "./normalised-text.ts";
export { type CodeBlock, issueParts, type IssueParts } from "./issue-parts.ts";
export type { LinkedPullRequest, LinkedPullRequests } from "./linked-pull-requests.ts";
export * from "./markers.ts";
export { htmlText, plainText, shownText, truncateWithNotice } from "./plain-text.ts";
export type { GithubHistory, OriginalBody } from "./history-port.ts";
export * from "./permission.ts";
export type { TimelineFact } from "./timeline-fact.ts";
export * from "./port.ts";
export type * from "./setup-port.ts";
export type * from "./suggestion-port.ts";
export type * from "./app-port.ts";
export type * from "./installation-port.ts";
export { isParseable, type MarkdownNode, parseMarkdown, textOf } from "./markdown.ts";
export { codeSpan } from "./published-line.ts";
export { reporterMention } from "./published-mention.ts";
export { EMPTY_MARKDOWN, joinMarkdown, ourMarkdown, type Markdown } from "./published-markdown.ts";
export {
  COMMENT_MAX_CHARACTERS,
  listItem,
  textAsCode,
  textAsLine,
  textAsMarkdown,
} from "./published-text.ts";
export { maskSecrets, REDACTED, redactSecrets, redactSecretsIn } from "./secrets.ts";
export { rotated } from "./rotated.ts";
export * from "./triage-notes.ts";
export { updatedIssuePages } from "./updated-issue-pages.ts";
export * from "./octokit/index.ts";
export { inertJson } from "./inert-json.ts";
