import { feedIndex } from "../../../duplicates/index.ts";
import type { RepositoryName } from "../../../github/index.ts";
import { mayReportVulnerability } from "../../policy/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import { warnOfFailure } from "./warn-of-failure.ts";

interface IndexFeeding {
  settings: Pick<BatchSettings, "duplicates">;
  ports: Pick<BatchPorts, "duplicates" | "reader" | "observe">;
  stop: AbortSignal;
}

/**
 * Updates the issue indexes of the repositories within the batch's request budget for this (D1). The next batch continues where
 * this one ends. A failure only causes a warning, because triage also works without candidates. Rejects only after a stop.
 */
export async function feedIndexes(repos: readonly RepositoryName[], context: IndexFeeding): Promise<void> {
  const { ports, settings, stop } = context;
  if (settings.duplicates.candidates === 0) return;
  for (const repo of repos) {
    try {
      const index = await ports.duplicates.of(repo);
      const limits = {
        maxRequests: settings.duplicates.requests,
        isWithheld: mayReportVulnerability,
        signal: stop,
      };
      const fed = await feedIndex(index, repo, ports.reader, limits);
      if (fed.type === "more")
        ports.observe({
          type: "warning",
          message: `the issue index of ${repo} is not up to date yet: ${index.size()} issues after ${fed.requests} requests; the next batch continues (afk-triage duplicates --update does it now)`,
        });
    } catch (error) {
      stop.throwIfAborted();
      await warnOfFailure(`the issue index of ${repo} was not updated`, repo, error, ports);
    }
  }
}
