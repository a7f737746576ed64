export { sanitiseInbound, type SanitisedText } from "./sanitise-inbound.ts";
export { type HiddenTextFlag, type HiddenTextKind } from "./hidden-text.ts";
export { removeInvisible } from "./invisible-characters.ts";
export type { LinkedPullRequest, LinkedPullRequests } from "./linked-pull-requests.ts";
export { fenced } from "./markdown.ts";
export * from "./markers.ts";
export { plainText, truncateWithNotice } from "./plain-text.ts";
export * from "./port.ts";
export type * from "./setup-port.ts";
export {
  COMMENT_MAX_CHARACTERS,
  type OutboundRules,
  sanitiseInline,
  sanitiseOutbound,
} from "./sanitise-outbound.ts";
export { maskSecrets, REDACTED, redactSecrets, redactSecretsIn } from "./secrets.ts";
export * from "./triage-notes.ts";
export * from "./octokit/index.ts";
