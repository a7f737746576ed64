import { type Range, undisguised, undisguisedMarkup, type View } from "./undisguised.ts";

/** Shapes of credentials. A false hit costs a word of a comment; a miss costs the credential (S18). */
const SECRETS: readonly RegExp[] = [
  /gh[a-z]_[A-Za-z0-9._-]{36,}/g,
  /github_pat_\w{22,}/g,
  /sk-ant-[A-Za-z0-9_-]{16,}/g,
  // Stripe, Hugging Face, Shopify, SendGrid, Google OAuth, DigitalOcean, HashiCorp Vault, PyPI, Docker Hub, Linear, Sentry
  /(?<![A-Za-z0-9])(?:(?:[srp]k)_(?:live|test)_|whsec_|hf_|lin_api_|sntrys_)[A-Za-z0-9]{16,}/g,
  /(?<![A-Za-z0-9])(?:shp(?:at|ca|pa|ss)_|do[opr]_v1_|dapi)[a-f0-9]{32,}/g,
  /(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}/g,
  /(?<![A-Za-z0-9])(?:ya29\.|hv[sbr]\.|pypi-|dckr_(?:pat|oat)_|AGE-SECRET-KEY-1)[\w-]{20,}/g,
  /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[\w/+-]{10,}/g,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{20,}/g,
  /(?<!\d)\d{8,10}:AA[\w-]{33}/g,
  /(?<![A-Za-z0-9])sk-(?:proj-|live-|test-)?[A-Za-z0-9_]{32,}/g,
  /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  /gl(?:pat|rt|dt|soat|ptt|ft|imt|agent|cbt|oas)-[A-Za-z0-9_-]{20,}/g,
  /npm_[A-Za-z0-9]{36}/g,
  /x(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,}/g,
  /AIza[A-Za-z0-9_-]{35}/g,
  // JWT: header and payload are JSON objects in base64url, so both start with `{"`.
  /eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,})?/g,
  // Coder session token: https://coder.com/docs, ten characters, a dash, twenty-two.
  /(?<![A-Za-z0-9-])(?=[A-Za-z]*\d)(?=[A-Za-z0-9]{10}-(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*\d))[A-Za-z0-9]{10}-[A-Za-z0-9]{22}(?![A-Za-z0-9-])/g,
  // A private key whose end is missing is cut to the end of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|token|basic)\s{1,3})[^\s"',;]{8,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{3,200}(?=@)/g,
  // What is assigned to a name that says it is a secret, when letters and digits are mixed in it.
  /(?<=(?:secret|token|passw(?:or)?d|passphrase|(?:api|access|private|signing|encryption|account)[_-]?key|credentials?)(?:[_-]\w{0,20})?["']?\s{0,3}[:=]\s{0,3}["']?)(?=[^\s"']{0,80}\d)(?=[^\s"']{0,80}[A-Za-z])[A-Za-z0-9+/_.~=-]{12,}/gi,
];

export const REDACTED = "[redacted secret]";

/** Replaces token-shaped strings, also disguised ones. For everything that is persisted or published. */
export function redactSecrets(text: string): string {
  const spans = secretsIn(undisguisedMarkup(text)).map((ranges): Range => [
    ranges[0]?.[0] ?? 0,
    ranges.at(-1)?.[1] ?? 0,
  ]);
  return replaced(text, spans, () => REDACTED);
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

/**
 * The same length, so that what points into the text stays right. Line ends, control characters, and what stands between
 * the characters of a secret stay.
 */
export function maskSecrets(text: string): string {
  const mask = (secret: string): string => secret.replaceAll(/[!-~]/g, "*");
  return replaced(text, secretsIn(undisguised(text)).flat(), mask);
}

/** Of each secret, in whichever view it shows: the parts of the source it was read from. */
function secretsIn(views: readonly View[]): Range[][] {
  return views.flatMap(({ text, rangesOf }) =>
    SECRETS.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ 0: secret, index }) => rangesOf(index, index + secret.length)),
    ),
  );
}

function replaced(text: string, ranges: readonly Range[], replacement: (secret: string) => string): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const [start, stop] of united(ranges)) {
    parts.push(text.slice(end, start), replacement(text.slice(start, stop)));
    end = stop;
  }
  return [...parts, text.slice(end)].join("");
}

/** In order, what overlaps made one. */
function united(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
