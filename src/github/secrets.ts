/** Shapes of credentials. A false hit costs a word of a comment; a miss costs the credential (S18). */
const SECRETS: readonly RegExp[] = [
  /gh[a-z]_[A-Za-z0-9._-]{36,}/g,
  /github_pat_\w{22,}/g,
  /sk-ant-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])sk-(?:proj-|live-|test-)?[A-Za-z0-9_]{32,}/g,
  /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  /glpat-[A-Za-z0-9_-]{20,}/g,
  /npm_[A-Za-z0-9]{36}/g,
  /xox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /AIza[A-Za-z0-9_-]{35}/g,
  // JWT: header and payload are JSON objects in base64url, so both start with `{"`.
  /eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,})?/g,
  // Coder session token: https://coder.com/docs, ten characters, a dash, twenty-two.
  /(?<![A-Za-z0-9-])(?=[A-Za-z]*\d)(?=[A-Za-z0-9]{10}-(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*\d))[A-Za-z0-9]{10}-[A-Za-z0-9]{22}(?![A-Za-z0-9-])/g,
  // A private key whose end is missing is cut to the end of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g,
  /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|token|basic)\s{1,3})[^\s"',;]{8,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{3,200}(?=@)/g,
];

export const REDACTED = "[redacted secret]";

/** Replaces token-shaped strings. For everything that is persisted or published. */
export function redactSecrets(text: string): string {
  return SECRETS.reduce((rest, pattern) => rest.replaceAll(pattern, REDACTED), text);
}

/** Of every string in a document, so that a secret without an end takes no more than its own string with it. */
export function redactSecretsIn<Value>(value: Value): Value {
  const redact = (part: unknown): unknown => {
    if (typeof part === "string") return redactSecrets(part);
    if (Array.isArray(part)) return part.map(redact);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, redact(inner)]));
  };
  return redact(value) as Value;
}

/** The same length, so that what points into the text stays right. Line ends and control characters stay. */
export function maskSecrets(text: string): string {
  const mask = (secret: string): string => secret.replaceAll(/[!-~]/g, "*");
  return SECRETS.reduce((rest, pattern) => rest.replaceAll(pattern, mask), text);
}
