import type { RepositoryName } from "../github/index.ts";

/** Returns the `owner/name` at the end of a clone URL; null for a path. */
export function repositoryOfUrl(url: string): RepositoryName | null {
  const match = /^(?:https?:\/\/|ssh:\/\/|git@)[^/:]+(?::\d+)?[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(
    url,
  );
  return match === null ? null : `${match[1] ?? ""}/${match[2] ?? ""}`;
}
