import type { DuplicateClusterDocument, DuplicatesDocument } from "../api/index.ts";
import { reportedClusters, type ReportedCluster } from "../../duplicates/index.ts";
import type { DuplicateLinkFacts } from "../../store/index.ts";

/** The maximum number of clusters that the board shows: those with the most reporters. */
const MAX_CLUSTERS = 200;

/** Returns the duplicate clusters as the board shows them. Pure. `urlOf` returns an issue's URL if a Triage Run recorded it. */
export function duplicatesDocument(
  links: readonly DuplicateLinkFacts[],
  urlOf: (repo: string, number: number) => string | null,
): DuplicatesDocument {
  const clusters = reportedClusters(links).slice(0, MAX_CLUSTERS);
  return {
    schema: "afk-triage/board-duplicates@1",
    clusters: clusters.map((cluster) => clusterDocument(cluster, urlOf)),
  };
}

function clusterDocument(
  { repo, canonical, proven, mayBe, reporters, titles, links }: ReportedCluster,
  urlOf: (repo: string, number: number) => string | null,
): DuplicateClusterDocument {
  type Member = DuplicateClusterDocument["members"][number];
  const member =
    (kind: Member["kind"]) =>
    (number: number): Member => ({
      number,
      kind,
      title: titles.get(number) ?? "",
      issueUrl: urlOf(repo, number),
      reasons:
        kind === "canonical"
          ? []
          : links
              .filter(({ first, second }) => first === number || second === number)
              .flatMap(({ reasons }) => reasons),
    });
  return {
    repo,
    reporters,
    members: [
      member("canonical")(canonical),
      ...proven.map(member("proven")),
      ...mayBe.map(member("may-be")),
    ],
  };
}
