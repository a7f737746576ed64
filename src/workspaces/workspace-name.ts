import { createHash } from "node:crypto";

/** Coder's limit for the length of names, which also become host and container names. */
const MAX_LENGTH = 32;
/** The end of the name of a Triage Run's second Coder workspace, in which the parent runs the reproduction. */
const VERIFICATION_SUFFIX = "-v";
/** With eight digits for the issue number, the separator and `-v` this leaves 21 characters, the same for every issue. */
const HASHED_BASE_LENGTH = 21;
const HASH_LENGTH = 8;
/**
 * The largest issue number that is accepted. GitHub numbers the issues of each repository from 1; the largest repositories have a
 * few hundred thousand.
 */
const MAX_ISSUE_NUMBER = 99_999_999;
const RESERVED_NAMES = new Set(["new", "create"]);

interface NamedRepository {
  /** `owner/name` */
  repo: string;
  /** The configured prefix that replaces `<name>-triage`. */
  prefix: string | null;
}

/**
 * Returns the name of the Coder workspace, which is the lock (T3): `<repo>-triage-<n>`, or `<prefix>-<n>`. A name that would be
 * longer than 32 characters is truncated and contains a hash of the whole repository and prefix instead, so that no two issues of
 * a repository and no two truncated repositories share a name.
 */
export function workspaceName({ repo, number, prefix }: NamedRepository & { number: number }): string {
  if (!Number.isSafeInteger(number) || number < 1 || number > MAX_ISSUE_NUMBER)
    throw new Error(`not an issue number: ${number}`);
  const plain = `${plainBase({ repo, prefix })}-${number}`;
  return plain.length <= MAX_LENGTH ? plain : `${hashedBase({ repo, prefix })}-${number}`;
}

/**
 * Returns the name of the Coder workspace in which the parent verifies, `<lock>-v`. It is a separate one, in which the Triage
 * Agent never was (V1). If the name is longer than 32 characters, the base of the lock's name is truncated and hashed. No lock
 * has such a name, because locks end with a digit.
 */
export function verificationName({ repo, number, prefix }: NamedRepository & { number: number }): string {
  const plain = `${workspaceName({ repo, number, prefix })}${VERIFICATION_SUFFIX}`;
  return plain.length <= MAX_LENGTH
    ? plain
    : `${hashedBase({ repo, prefix })}-${number}${VERIFICATION_SUFFIX}`;
}

/**
 * Returns the filters for `CoderWorkspaceProvider.list` that find every Coder workspace that `workspaceName` or
 * `verificationName` can have named.
 */
export function workspaceNamePrefixes({ repo, prefix }: NamedRepository): string[] {
  const plain = plainBase({ repo, prefix });
  const hashed = hashedBase({ repo, prefix });
  return plain.length + 2 <= MAX_LENGTH ? [plain, hashed] : [hashed];
}

/**
 * Returns whether the name is exactly `<namePrefix>-<digits>`, or that with `-v`, so that no foreign Coder workspace is deleted
 * (S15). The prefix `x-triage-1` matches neither `x-triage-10` nor `x-triage-1-triage-2`.
 */
export function isNameUnderPrefix(name: string, namePrefix: string): boolean {
  return name.startsWith(`${namePrefix}-`) && /^[0-9]+(?:-v)?$/.test(name.slice(namePrefix.length + 1));
}

/**
 * Returns whether Coder accepts the name: at most MAX_LENGTH lower-case letters, digits and single hyphens, and not reserved.
 */
export function isWorkspaceName(name: string): boolean {
  return name.length <= MAX_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && !RESERVED_NAMES.has(name);
}

function plainBase({ repo, prefix }: NamedRepository): string {
  const base = prefix === null ? `${slug(repo.slice(repo.indexOf("/") + 1)) || "repo"}-triage` : slug(prefix);
  return base || "triage";
}

function hashedBase({ repo, prefix }: NamedRepository): string {
  const identity = JSON.stringify([repo.toLowerCase(), prefix]);
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, HASH_LENGTH);
  const readable = slug(plainBase({ repo, prefix }).slice(0, HASHED_BASE_LENGTH - HASH_LENGTH - 1));
  return `${readable}-${hash}`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
