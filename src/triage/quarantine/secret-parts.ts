import { CANARY_MIN_LENGTH, fold } from "./canary-forms.ts";

/** Only this many characters at the beginning of a longer value are searched for. */
const MAX_CHARACTERS = 8_192;
/** Words that occur in ordinary text and may be the value of a variable that is named like a secret. */
const COMMON =
  /^(?:password|passwords|disabled|required|optional|undefined|automatic|production|development|localhost|inherited|certificate|anonymous|interactive|ssh-agent|gnome-keyring)$/i;

/**
 * Returns the parts of a variable's value that reveal it when they occur in a text; none when all of the value is trivial.
 * Trivial are parts with fewer than eight letters and digits, and common words. Unless the variable, or the part's place in it
 * (the password of a URL, a field or a key), is named like a secret, one word of up to fourteen letters, a number, a date, a
 * version and an address of a machine are trivial, too. Of a URL, a connection string or a JSON document only the secret parts
 * count, because its hosts, keys and other words occur in many texts. But a value that looks like a connection string and is
 * named like a secret may be a password, so the whole value counts, too.
 */
export function secretParts(value: string, isNamedSecret: boolean): string[] {
  const text = value.slice(0, MAX_CHARACTERS).replaceAll(String.raw`\n`, "\n");
  const parts = partsOfForm(text, isNamedSecret) ?? telling(whole(text), isNamedSecret);
  return [...new Set(parts)];
}

/** Returns the secret parts of a text in a known form. null: the text has no form that shows which of its parts are secret. */
function partsOfForm(text: string, isNamedSecret: boolean): string[] | null {
  const written = pemLines(text) ?? jwtSignature(text);
  if (written !== null) return telling(written, isNamedSecret);
  const parts = jsonStrings(text, isNamedSecret) ?? urlParts(text, isNamedSecret);
  if (parts !== null) return parts;
  const slots = userInfo(text) ?? fields(text);
  return slots !== null && isNamedSecret ? [...slots, ...telling(whole(text), true)] : slots;
}

function telling(parts: readonly string[], isNamedSecret: boolean): string[] {
  return parts.filter((part) => !isTrivial(part, isNamedSecret));
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

/** Returns the signature of a JWT, which is its only secret part: the rest is a description that may be public. */
function jwtSignature(text: string): string[] | null {
  const jwt = /^(?:.{0,80}?)eyJ[\w-]+\.(?:eyJ[\w-]+)\.([\w-]+)$/.exec(text);
  return jwt === null ? null : [jwt[1] ?? ""];
}

function jsonStrings(text: string, isNamedSecret: boolean): string[] | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return stringsIn(JSON.parse(text), isNamedSecret);
  } catch {
    return null;
  }
}

/**
 * Returns the strings that may be secret. A name that marks a secret applies to all values below it, except below a public key.
 */
function stringsIn(value: unknown, isNamedSecret: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => stringsIn(each, isNamedSecret));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      stringsIn(inner, isNamedSecretKey(key) || (isNamedSecret && !isPublicKey(key))),
    );
  if (typeof value === "number" && isNamedSecret) return telling([String(value)], true);
  return typeof value === "string" ? ofSlot(value, isNamedSecret) : [];
}

/**
 * Returns the secret parts of a value whose place in a document is known. A value that is not named like a secret counts only if
 * it looks random, or has a form with a place for a secret.
 */
function ofSlot(text: string, isNamedSecret: boolean): string[] {
  if (isNamedSecret) return secretParts(text, true);
  return partsOfForm(text, false) ?? telling(whole(text), false).filter(looksRandom);
}

/** Returns the user or password, the random-looking segments, and the secret values of the query. */
function urlParts(text: string, isNamedSecret: boolean): string[] | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const { username, password, pathname, hash, searchParams } = url;
  const user =
    password === ""
      ? telling([decoded(username)], isNamedSecret)
      : passwordOf(decoded(username), decoded(password));
  const path = [...pathname.split("/"), hash.slice(1)].map(decoded).filter(looksRandom);
  const query = [...searchParams].flatMap(([key, each]) => ofKey(key, each));
  return [...user, ...telling(path, isNamedSecret), ...query];
}

/** Returns the secret parts of `user:password@host:port`, the form in which proxies are given. null: the text has another form. */
function userInfo(text: string): string[] | null {
  const found = /^([^\s:@/]{1,200}):([^\s@]{1,500})@[\w.-]+(?::\d+)?(?:\/\S*)?$/.exec(text);
  return found === null ? null : passwordOf(decoded(found[1] ?? ""), decoded(found[2] ?? ""));
}

/** Returns the secret parts of a password. A password equal to the user name, such as `postgres`, is not a secret. */
function passwordOf(user: string, password: string): string[] {
  return password === user ? [] : telling([password], true);
}

/** Returns the secret parts of a connection string such as `Server=db;User Id=me;Password=word;`. */
function fields(text: string): string[] | null {
  const found = [...text.matchAll(/(?:^|;)\s*([\w ]{1,40})=([^;\n]*)/g)];
  if (found.length === 0 || (found.length === 1 && !text.includes(";"))) return null;
  return found.flatMap(([, key = "", each = ""]) => ofKey(key, each));
}

function ofKey(key: string, each: string): string[] {
  if (isNamedSecretKey(key)) return telling([each], true);
  return looksRandom(each) ? telling([each], false) : [];
}

function whole(text: string): string[] {
  return [
    text,
    ...text.split(/[\s,]+/).filter((part) => part.length >= CANARY_MIN_LENGTH && !/^[a-z]+$/i.test(part)),
  ];
}

function isNamedSecretKey(key: string): boolean {
  return /token|secret|passw|pwd|private|credential|key(?!board|word)|sig(?!nal)|auth(?!or)|cookie/i.test(
    key,
  );
}

/** Returns whether a field of this name is public although its siblings are secrets: `client_email`, `tenantId`, `auth_uri`. */
function isPublicKey(key: string): boolean {
  return /(?:type|kind|ur[il]|host|hostname|server|address|port|domain|region|e?mail|user|name|login|id|database|version|scope)s?$/i.test(
    key,
  );
}

/** Returns whether letters and digits, or upper and lower case, alternate in a text that is longer than usual names. */
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
