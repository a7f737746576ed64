import { CANARY_MIN_LENGTH, fold } from "./canary-forms.ts";

/** Longer values are looked for by their beginning. */
const MAX_CHARACTERS = 8_192;
/** Words that stand in ordinary text, also as the value of a variable that is named like a secret. */
const COMMON =
  /^(?:password|passwords|disabled|required|optional|undefined|automatic|production|development|localhost|inherited|certificate|anonymous|interactive|ssh-agent|gnome-keyring)$/i;

/**
 * The parts of a variable's value that give it away where they stand in a text; none when all of it is trivial. Trivial is what has
 * fewer than eight letters and digits, a common word, and, unless it is named like a secret (the variable, or the place in it: the password
 * of a URL, a field or a key), one word of up to fourteen letters, a number, a date, a version, an address of a machine. Of a URL,
 * a connection string and a JSON document only what is secret in it counts, since hosts, keys and words around it stand in many texts;
 * but what only looks like a connection string, under a name that says it is a secret, may be a password, and counts as a whole, too.
 */
export function secretParts(value: string, isNamedSecret: boolean): string[] {
  const text = value.slice(0, MAX_CHARACTERS).replaceAll(String.raw`\n`, "\n");
  const parts = partsOfForm(text, isNamedSecret) ?? telling(whole(text), isNamedSecret);
  return [...new Set(parts)];
}

/** null: the text has no form that says what of it is secret. */
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

/** The rest of a JWT says what it is; its signature makes it one. */
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

/** A name counts for all below it, until a key says otherwise. */
function stringsIn(value: unknown, isNamedSecret: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => stringsIn(each, isNamedSecret));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      stringsIn(inner, isNamedSecretKey(key) || (isNamedSecret && !isPublicKey(key))),
    );
  if (typeof value === "number" && isNamedSecret) return telling([String(value)], true);
  return typeof value === "string" ? ofSlot(value, isNamedSecret) : [];
}

/** A place that is not named like a secret holds one only where it is random, or has a form with a place for one. */
function ofSlot(text: string, isNamedSecret: boolean): string[] {
  if (isNamedSecret) return secretParts(text, true);
  return partsOfForm(text, false) ?? telling(whole(text), false).filter(looksRandom);
}

/** User, password, long or random segments, and the values of the query. */
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

/** `user:password@host:port`, as proxies are given. */
function userInfo(text: string): string[] | null {
  const found = /^([^\s:@/]{1,200}):([^\s@]{1,500})@[\w.-]+(?::\d+)?(?:\/\S*)?$/.exec(text);
  return found === null ? null : passwordOf(decoded(found[1] ?? ""), decoded(found[2] ?? ""));
}

/** None that is the user's name, such as `postgres`: everybody tries that. */
function passwordOf(user: string, password: string): string[] {
  return password === user ? [] : telling([password], true);
}

/** `Server=db;User Id=me;Password=word;` */
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

/** Says of a value among secrets that it is none: `client_email`, `tenantId`, `auth_uri`. */
function isPublicKey(key: string): boolean {
  return /(?:type|kind|ur[il]|host|hostname|server|address|port|domain|region|e?mail|user|name|login|id|database|version|scope)s?$/i.test(
    key,
  );
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
