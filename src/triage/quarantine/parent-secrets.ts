import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { RepositoryName } from "../../github/index.ts";
import { isPublicVariable } from "./public-variables.ts";
import { looksRandom, secretParts } from "./secret-parts.ts";

/** A value that must not leave this process. */
export interface ParentSecret {
  /** The variable of the parent's environment, or another source of the value. */
  name: string;
  value: string;
  /** The value consists of ordinary words: only all of them together reveal it. */
  isPhrase?: boolean;
}

/** Names that say that the value is a secret: even a single word of such a value counts. */
const SECRET_NAME =
  /TOKEN|SECRET|PASS|PWD|PRIVATE|CREDENTIAL|CANARY|API_?KEY|(?:^|_)KEYS?(?:$|_)|AUTH(?!OR)|COOKIE|SIGNING|SIGNATURE|(?:^|_)PAT$|WEBHOOK/i;

/**
 * Returns the secrets of this environment (S25): the value of every variable, unless its name is known as public, its value is an
 * existing path of this machine (or a list of them), or it is trivial (`secret-parts.ts`). Treating a public value as secret
 * fails a Triage Run that quotes it; the opposite mistake leaks the secret. `isPath` checks the file system.
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
 * Returns the secrets without variables that only name a repository that is triaged, such as `REPO=owner/name`. The Triage Agent
 * and every comment quote that name, so no Triage Run could succeed otherwise.
 */
export function withoutRepositories(
  secrets: readonly ParentSecret[],
  repos: readonly RepositoryName[],
): ParentSecret[] {
  const names = new Set(repos.map((repo) => repo.toLowerCase()));
  return secrets.filter(({ value }) => !names.has(value.toLowerCase()));
}

/**
 * Returns the secrets among the Triage Agent's own variables. Its model credential must stay private like all others, but its
 * other settings (a model's name, a limit) may be published.
 */
export function agentSecrets(environment: Readonly<Record<string, string>>): ParentSecret[] {
  return parentSecrets(environment).filter(({ name, value }) => SECRET_NAME.test(name) || looksRandom(value));
}

/** Returns whether a variable should not be shown, even if its value is too short to be searched for in published text. */
export function isSecretVariable(name: string, value: string): boolean {
  if (isPublicVariable(name) || isPlace(value, isExistingPath)) return false;
  return SECRET_NAME.test(name) || secretParts(value, false).length > 0;
}

/** Returns whether the text consists of at least two words and nothing else. */
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
