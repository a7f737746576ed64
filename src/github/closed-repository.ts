import type { RepositoryName } from "./port.ts";

/** Returns why nothing can be written to the repository's issues, and the command that changes it; null: nothing prevents it. */
export function whyClosed(
  repo: RepositoryName,
  { isArchived, hasIssues }: { isArchived: boolean; hasIssues: boolean },
): { seen: string; remedy: string } | null {
  if (isArchived)
    return { seen: `${repo} is archived: nothing can be written to it`, remedy: `gh repo unarchive ${repo}` };
  return hasIssues
    ? null
    : { seen: `${repo} has its issues turned off`, remedy: `gh repo edit ${repo} --enable-issues` };
}
