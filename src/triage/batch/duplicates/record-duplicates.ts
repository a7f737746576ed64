import { messageOf } from "agent-tty/kit";
import type { DuplicateCandidate } from "../../../duplicates/index.ts";
import { type Issue, redactSecretsIn } from "../../../github/index.ts";
import type { DuplicateLinkFacts } from "../../../store/index.ts";
import type { DuplicateFinding } from "../../policy/index.ts";
import type { BatchPorts } from "../batch-context.ts";

interface LinkWriter {
  runId: string;
  ports: Pick<BatchPorts, "reproductions" | "store" | "observe">;
}

/**
 * Stores what a decision says about another issue. It is the only writer of duplicate links (D6). A failure only causes a warning
 * and does not change the decision.
 */
export async function recordDuplicate(
  issue: Issue,
  finding: DuplicateFinding | null,
  offered: readonly DuplicateCandidate[],
  { ports, runId }: LinkWriter,
): Promise<void> {
  if (finding === null) return;
  const { ref, author } = issue;
  const { repo, number } = ref;
  try {
    const other = offered.find((one) => one.number === finding.number);
    const stored = await Promise.all(
      [number, finding.number]
        .toSorted((a, b) => a - b)
        .map(async (one) => ((await ports.reproductions.read({ repo, number: one })) === null ? null : one)),
    );
    const link: DuplicateLinkFacts = {
      repo,
      first: Math.min(number, finding.number),
      second: Math.max(number, finding.number),
      kind: finding.proof === null ? "may-be" : "proven",
      runId,
      reporters: { [number]: author?.id ?? null, [finding.number]: other?.reporter ?? null },
      evidenced: stored.filter((one) => one !== null),
      titles: { [number]: issue.title, [finding.number]: other?.title ?? "" },
      reasons: finding.reasons,
    };
    ports.store.linkDuplicates(redactSecretsIn(link));
  } catch (error) {
    ports.observe({ type: "warning", message: `a likely duplicate was not stored: ${messageOf(error)}` });
  }
}
