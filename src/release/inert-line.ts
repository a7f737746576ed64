import { type RepositoryName, sanitiseInline, sanitiseOutbound } from "../github/index.ts";

/**
 * One line of foreign text (a commit's subject, an issue's title) as Markdown that is safe to publish: code stays code,
 * nobody is mentioned, nothing is closed or linked (S7). `repo` is null where it is not known.
 */
export function inertLine(repo: RepositoryName | null): (text: string) => string {
  const rules = { reporterLogin: null, repo: repo ?? ("none/none" as const), allowedUrlPrefixes: [] };
  return (text) => {
    const line = text.replaceAll(/\s+/g, " ").trim();
    const markdown = sanitiseOutbound(line, rules);
    const isOneLine = !markdown.includes("\n") && !/^(?:[#>+*-]|\d+[.)])(?:\s|$)/.test(markdown);
    return isOneLine ? markdown : sanitiseInline(line, rules);
  };
}
