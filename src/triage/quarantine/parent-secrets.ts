import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isPublicVariable } from "./public-variables.ts";
import { looksRandom, secretParts } from "./secret-parts.ts";

/** A value that must not leave this process. */
export interface ParentSecret {
  /** The variable of the parent's environment, or where else the value was read. */
  name: string;
  value: string;
  /** Words that may well be used one by one: only all of them together give it away. */
  isPhrase?: boolean;
}

/** A name that says it is a secret: of such a variable even one word counts. */
const SECRET_NAME =
  /TOKEN|SECRET|PASS|PWD|PRIVATE|CREDENTIAL|CANARY|API_?KEY|(?:^|_)KEYS?(?:$|_)|AUTH(?!OR)|COOKIE|SIGNING|SIGNATURE|(?:^|_)PAT$|WEBHOOK/i;

/**
 * Lists the secrets of this environment (S25): the value of every variable, unless its name is known as public, its
 * value is an existing path of this machine (or a list of them), or it is trivial (`secret-parts.ts`). Treating a
 * public value as secret fails a Triage Run that quotes it; the opposite mistake leaks the secret. `isPath` asks the
 * machine.
 */
export function parentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  isPath: (path: string) => boolean = isExistingPath,
): ParentSecret[] {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [{ name, value }],
  );
  const known = new Set(entries.filter(({ name }) => isPublicVariable(name)).map(({ value }) => value));
  return entries
    .filter(({ name, value }) => !isPublicVariable(name) && !known.has(value) && !isPlace(value, isPath))
    .flatMap(({ name, value }) => {
      const isNamedSecret = SECRET_NAME.test(name);
      return secretParts(value, isNamedSecret).map((part) =>
        !isNamedSecret && isPhrase(part) ? { name, value: part, isPhrase: true } : { name, value: part },
      );
    });
}

/**
 * Secrets among the Triage Agent's own variables: its model credential must stay private like all others, while the
 * settings beside it (a model's name, a limit) may be published.
 */
export function agentSecrets(environment: Readonly<Record<string, string>>): ParentSecret[] {
  return parentSecrets(environment).filter(({ name, value }) => SECRET_NAME.test(name) || looksRandom(value));
}

/** Whether a variable is better not shown: also one whose value is too short to be looked for in what is published. */
export function isSecretVariable(name: string, value: string): boolean {
  if (isPublicVariable(name) || isPlace(value, isExistingPath)) return false;
  return SECRET_NAME.test(name) || secretParts(value, false).length > 0;
}

/** Words and nothing else, at least two. */
function isPhrase(text: string): boolean {
  return /^\p{L}+(?:[ ,.'-]+\p{L}+)+[.!?]?$/u.test(text);
}

function isPlace(value: string, isPath: (path: string) => boolean): boolean {
  return value.split(":").every((path) => path !== "" && isPath(path));
}

function isExistingPath(path: string): boolean {
  const absolute = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
  return isAbsolute(absolute) && absolute.length < 4_096 && !absolute.includes("\0") && existsSync(absolute);
}
