import type { DuplicateLinkFacts } from "../store/index.ts";
import { clustersOf, type DuplicateCluster, type DuplicateLink } from "./clusters.ts";

/** A cluster of one repository, as shown to people. Titles and reasons are untrusted text. */
export interface ReportedCluster extends DuplicateCluster {
  readonly repo: string;
  /** The number of distinct accounts that reported one of its issues. An issue with an unknown reporter counts as one account. */
  readonly reporters: number;
  readonly titles: ReadonlyMap<number, string>;
  readonly links: readonly (DuplicateLink & { readonly reasons: readonly string[] })[];
}

/** Returns the clusters of every repository, those with the most reporters first (D6). Pure. */
export function reportedClusters(links: readonly DuplicateLinkFacts[]): ReportedCluster[] {
  const repos = [...new Set(links.map(({ repo }) => repo))];
  return repos
    .flatMap((repo) =>
      clustersOfRepo(
        repo,
        links.filter((link) => link.repo === repo),
      ),
    )
    .toSorted(
      (a, b) => b.reporters - a.reporters || a.repo.localeCompare(b.repo) || a.canonical - b.canonical,
    );
}

function clustersOfRepo(repo: string, links: readonly DuplicateLinkFacts[]): ReportedCluster[] {
  const evidenced = new Set(links.flatMap((link) => link.evidenced));
  const titles = new Map(links.flatMap((link) => numbered(link.titles)));
  const accounts = new Map(links.flatMap(({ reporters }) => numbered(reporters)));
  return clustersOf({ links, evidenced }).map((cluster): ReportedCluster => {
    const members = [cluster.canonical, ...cluster.proven, ...cluster.mayBe];
    const known = members.map((number) => accounts.get(number) ?? `unknown reporter of ${number}`);
    return {
      canonical: cluster.canonical,
      proven: cluster.proven,
      mayBe: cluster.mayBe,
      repo,
      reporters: new Set(known).size,
      titles: new Map(members.flatMap((number) => [[number, titles.get(number) ?? ""] as const])),
      links: links.filter(({ first }) => members.includes(first)),
    };
  });
}

function numbered<Value>(byNumber: Readonly<Record<string, Value>>): [number, Value][] {
  return Object.entries(byNumber).map(([number, value]) => [Number(number), value]);
}
