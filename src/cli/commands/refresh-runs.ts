import { systemClock } from "agent-tty/kit";
import type { RepositoryName } from "../../github/index.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { refreshPullRequests } from "../../triage/index.ts";
import type { RunEnvironment } from "../../config/index.ts";
import { connectGithub, githubCredential } from "../wiring/index.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals } from "../stop-on-signals.ts";

/** `--refresh`: reads the pull requests of these runs' issues from GitHub and stores what it reads. */
export async function refreshRuns(
  rows: readonly RunRow[],
  { directory, environment, store }: { directory: string; environment: RunEnvironment; store: Store },
  output: Output,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  using signals = stopOnSignals(output);
  const credential = githubCredential(environment, first.facts.repo as RepositoryName);
  const { reader } = await connectGithub(environment, credential, { directory });
  const ports = { reader, clock: systemClock, journal: store };
  const facts = rows.map((row) => row.facts);
  const { looked, unknown, live, left } = await refreshPullRequests(facts, ports, signals.stop);
  if (unknown > 0) output.line(`warning: ${unknown} of ${looked} issues could not be read`);
  if (live > 0) output.line(`${live} are still running: their own parents read the pull requests`);
  if (left > 0)
    output.line(`warning: ${left} older issues were not refreshed; name their repository with --repo`);
}
