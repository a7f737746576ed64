/** A value of the parent's environment that must not leave it. */
export interface ParentSecret {
  name: string;
  value: string;
}

const SECRET_NAME =
  /TOKEN|SECRET|PASS|PRIVATE|CREDENTIAL|CANARY|API_?KEY|(?:^|_)KEYS?(?:$|_)|AUTH(?!OR)|COOKIE|SIGNING|DSN|CONNECTION_?STRING|(?:^|_)PAT$|WEBHOOK/i;
/** Says where something is, not what it is. */
const PLACE_NAME = /_(?:FILE|PATH|COMMAND|NAME|SOCK|DIR|HOME|BIN)$/i;
/** Set by runners and shells, and full of digits that may well stand in a comment: commits, builds, versions. */
const PUBLIC_NAME =
  /^(?:GITHUB|RUNNER|npm|NODE|LC|XDG|WSL|KUBERNETES|CI|COLOR|LS|SSH)_|^(?:HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|TERM|LANG|PATH|PWD|OLDPWD|HOME|SHELL|USER|LOGNAME|INVOCATION_ID|JOURNAL_STREAM)$|VERSION|(?:^|_)(?:SHA|COMMIT|REVISION|REV|REF|DIGEST|HASH|CHECKSUM|BUILD|TAG|URL|HOST)(?:$|_)/i;

/**
 * What counts as a secret of this environment: the values of variables that are named like one, passwords in URLs, and
 * values that look random whatever their name. A public value taken for a secret costs a Triage Run that quotes it; the
 * other mistake costs the secret.
 */
export function parentSecrets(environment: Readonly<Record<string, string | undefined>>): ParentSecret[] {
  return Object.entries(environment).flatMap(([name, value = ""]) => {
    const password = passwordIn(value);
    if (password !== null) return [{ name, value: password }];
    if (isPlace(value)) return [];
    if (SECRET_NAME.test(name)) {
      return PLACE_NAME.test(name) || isWord(value)
        ? []
        : parts(value).map((part) => ({ name, value: part }));
    }
    return !PUBLIC_NAME.test(name) && looksRandom(value) ? [{ name, value }] : [];
  });
}

/** Whether a variable is better not shown: also one whose value is too short to be looked for in what is published. */
export function isSecretVariable(name: string, value: string): boolean {
  const isNamedSo = SECRET_NAME.test(name) && !PLACE_NAME.test(name) && !isPlace(value);
  return isNamedSo || parentSecrets({ [name]: value }).length > 0;
}

/** Lines of a PEM file, keys of a list, segments of a JWT: what all of a kind share is left out. */
function parts(value: string): string[] {
  const lines = value.replaceAll(String.raw`\n`, "\n");
  if (lines.includes("-----BEGIN ")) {
    return lines.split("\n").filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line.trim()));
  }
  const jwt = /^(.*?)eyJ[\w-]+\.(eyJ[\w-]+)\.([\w-]+)$/.exec(value);
  if (jwt !== null) return [jwt[3] ?? ""];
  return [...new Set([value, ...value.split(/[\s,]+/)])].filter((part) => part.length >= 8);
}

function passwordIn(value: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) return null;
  const { password } = new URL(value);
  return password.length >= 8 ? decoded(password) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isPlace(value: string): boolean {
  return /^(?:[~.]{0,2}\/|[a-z][a-z0-9+.-]*:\/\/)\S*$/i.test(value);
}

/** `true`, `wayland`, `ssh-agent`: nobody's secret. */
function isWord(value: string): boolean {
  return /^(?:[a-z-]{1,14}|\d{1,12})$/i.test(value);
}

function looksRandom(value: string): boolean {
  const turns = value.match(/[a-z](?=[0-9])|[0-9](?=[a-z])/gi)?.length ?? 0;
  return /^[\w.~+=-]{16,4096}$/.test(value) && turns >= 4;
}
