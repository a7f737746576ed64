import { CANARY_MIN_LENGTH, fold } from "./canary-forms.ts";

/** Longer values are looked for by their beginning. */
const MAX_CHARACTERS = 8_192;
/** Words that stand in ordinary text, also as the value of a variable that is named like a secret. */
const COMMON =
  /^(?:password|passwords|disabled|required|optional|undefined|automatic|production|development|localhost|inherited|certificate|anonymous|interactive|ssh-agent|gnome-keyring)$/i;

/**
 * The parts of a variable's value that give it away where they stand in a text; none when all of it is trivial. Trivial is what has
 * fewer than eight letters and digits, a common word, and, unless the variable is named like a secret, one word of up to fourteen
 * letters, a number, a date, a version, an address of a machine. Of a URL, a connection string and a JSON document only what
 * is secret in it counts, since hosts, keys and words around it stand in many texts.
 */
export function secretParts(value: string, isNamedSecret: boolean): string[] {
  const text = value.slice(0, MAX_CHARACTERS).replaceAll(String.raw`\n`, "\n");
  const parts =
    pemLines(text) ??
    jwtSignature(text) ??
    jsonStrings(text) ??
    urlParts(text) ??
    userInfo(text) ??
    fields(text) ??
    whole(text);
  return [...new Set(parts)].filter((part) => !isTrivial(part, isNamedSecret));
}

function isTrivial(part: string, isNamedSecret: boolean): boolean {
  if (fold(part).length < CANARY_MIN_LENGTH || COMMON.test(part)) return true;
  if (isNamedSecret) return false;
  return /^(?:[a-z]{1,14}|[a-z-]{1,14}|v?[\d.,:/+ -]{1,24}(?:-?[a-z]{1,8}\.?\d{0,3})?)$/i.test(part);
}

function pemLines(text: string): string[] | null {
  if (!text.includes("-----BEGIN ")) return null;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line));
}

/** The rest of a JWT says what it is; its signature makes it one. */
function jwtSignature(text: string): string[] | null {
  const jwt = /^(?:.{0,80}?)eyJ[\w-]+\.(?:eyJ[\w-]+)\.([\w-]+)$/.exec(text);
  return jwt === null ? null : [jwt[1] ?? ""];
}

function jsonStrings(text: string): string[] | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    const strings: string[] = [];
    JSON.parse(text, (key, inner: unknown) => {
      if (typeof inner !== "string") return inner;
      strings.push(...secretParts(inner, false).filter((part) => isNamedSecretKey(key) || looksRandom(part)));
      return inner;
    });
    return strings;
  } catch {
    return null;
  }
}

/** User, password, long or random segments, and the values of the query. */
function urlParts(text: string): string[] | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const { username, password, pathname, hash, searchParams } = url;
  const query = [...searchParams].flatMap(([key, each]) =>
    isNamedSecretKey(key) || looksRandom(each) ? [each] : [],
  );
  const path = [...pathname.split("/"), hash.slice(1)].map(decoded).filter(looksRandom);
  return [...(password === "" ? [decoded(username)] : [decoded(password)]), ...path, ...query];
}

/** `user:password@host:port`, as proxies are given. */
function userInfo(text: string): string[] | null {
  const found = /^[^\s:@/]{1,200}:([^\s@]{1,500})@[\w.-]+(?::\d+)?(?:\/\S*)?$/.exec(text);
  return found === null ? null : [decoded(found[1] ?? "")];
}

/** `Server=db;User Id=me;Password=word;` */
function fields(text: string): string[] | null {
  const found = [...text.matchAll(/(?:^|;)\s*([\w ]{1,40})=([^;\n]*)/g)];
  if (found.length === 0 || (found.length === 1 && !text.includes(";"))) return null;
  return found.flatMap(([, key = "", each = ""]) =>
    isNamedSecretKey(key) || looksRandom(each) ? [each] : [],
  );
}

function whole(text: string): string[] {
  return [
    text,
    ...text.split(/[\s,]+/).filter((part) => part.length >= CANARY_MIN_LENGTH && !/^[a-z]+$/i.test(part)),
  ];
}

function isNamedSecretKey(key: string): boolean {
  return /token|secret|passw|pwd|private|credential|key|sig|auth|cookie/i.test(key);
}

/** Letters and digits, or capitals and small letters, take turns, over a length that no name of a thing has. */
export function looksRandom(text: string): boolean {
  const turns = text.match(/[a-z](?=[0-9A-Z])|[0-9](?=[a-zA-Z])|[A-Z](?=[0-9])/g)?.length ?? 0;
  return text.length >= 16 && turns >= 4;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
