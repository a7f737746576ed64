import type { DuplicatesDocument } from "../../../src/board/index.ts";

type Member = DuplicatesDocument["clusters"][number]["members"][number];

function member(
  repo: string,
  number: number,
  kind: Member["kind"],
  title: string,
  reasons: string[] = [],
): Member {
  return { number, kind, title, reasons, issueUrl: `https://github.com/${repo}/issues/${number}` };
}

/** Clusters of the invented morning; one title contains markup, which has to stay text. */
export const demoDuplicates: DuplicatesDocument = {
  schema: "afk-triage/board-duplicates@1",
  clusters: [
    {
      repo: "acme/widgets",
      reporters: 3,
      members: [
        member("acme/widgets", 142, "canonical", "format() loses the sign of negative zero"),
        member("acme/widgets", 157, "proven", "-0 is printed as 0", [
          "Both reproductions stop showing the bug with commit 0123456789ab, and both get the same wrong answer to the same call.",
        ]),
        member("acme/widgets", 160, "may-be", "<b>wrong sign</b> in the export of tables", [
          "Shared words: sign, format, zero",
          "Shared stack frames: formatNumber",
        ]),
      ],
    },
    {
      repo: "acme/paint",
      reporters: 1,
      members: [
        member("acme/paint", 3, "canonical", "The brush freezes on large pictures"),
        member("acme/paint", 9, "may-be", "Painting hangs", ["Shared words: brush, picture"]),
      ],
    },
  ],
};
