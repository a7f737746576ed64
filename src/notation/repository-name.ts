import type { RepositoryName } from "../github/index.ts";

/**
 * True for `owner/name`. It is not in the GitHub folder, because argv is parsed before that folder is loaded.
 * @example
 * isRepositoryName("owner/name") // => true
 * isRepositoryName("https://github.com/owner/name") // => false
 */
export function isRepositoryName(text: string): text is RepositoryName {
  return /^[\w.-]+\/[\w.-]+$/.test(text);
}
