import type { RepositoryName } from "../github/index.ts";

/** `owner/name`, wherever a person names a repository. Apart from the GitHub door: argv is parsed before that is loaded. */
export function isRepositoryName(text: string): text is RepositoryName {
  return /^[\w.-]+\/[\w.-]+$/.test(text);
}
