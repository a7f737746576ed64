/** A sign that a report should have been sent privately. The names go only to the run's private record. */
export type SecuritySign =
  | "named-vulnerability"
  | "files-of-the-machine"
  | "data-of-others"
  | "entry-without-login"
  | "rights-gained"
  | "access-kept"
  | "script-in-a-browser"
  | "code-run"
  | "sandbox-left"
  | "query-changed"
  | "internal-address-reached"
  | "forgery-accepted"
  | "service-stopped"
  | "credentials-shown"
  | "private-channel-asked"
  | "declared-in-a-form";

/** Patterns by sign. Every quantifier is bounded, because strangers write the text. */
export type SignPatterns = Partial<Record<SecuritySign, readonly RegExp[]>>;
