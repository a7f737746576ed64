import { systemClock, systemIds } from "agent-tty/kit";
import { readEnvironment } from "../../config/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import { existingStorePath, openProgramHome, resolveHome } from "../../home/index.ts";
import { layTable } from "../../layout/index.ts";
import {
  evaluate,
  type EvaluationGroup,
  type EvaluationRow,
  openTrustLedger,
  type TrustLedger,
} from "../../trust/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatDuration, type Output, proseLines } from "../output/index.ts";

export interface EvalRequest {
  /** Empty selects every repository of the home. */
  repo: readonly RepositoryName[];
  by: EvaluationGroup;
  home?: string;
}

/** `afk-triage eval`: reads only the home. */
export async function evalCommand({ repo, by, home: flag }: EvalRequest, output: Output): Promise<number> {
  const directory = resolveHome(flag, readEnvironment(process.env));
  const { facts, damaged } = await recordedFacts(directory, repo);
  const evaluation = evaluate(facts);
  const heads = [by, "outcomes", "accepted", "acceptance (95 %)", "reopened", "reply", "$ each"];
  const rows = evaluation.groups[by].map(describe);
  output.answer(
    rows.length === 0
      ? proseLines(
          `no outcomes${repo.length === 0 ? "" : ` of ${repo.join(", ")}`} are recorded yet in ${directory}`,
          output,
        )
      : layTable([heads, ...rows], { columns: output.answerColumns, flexible: [3, 0] }),
  );
  for (const { problem } of damaged) output.line(`not counted: ${problem}`);
  output.document({ ...evaluation, repos: repo });
  return exitCodes.done;
}

/** Returns the recorded facts of the home. A query must not create a home. */
async function recordedFacts(
  directory: string,
  repo: EvalRequest["repo"],
): Promise<ReturnType<TrustLedger["readable"]>> {
  if (existingStorePath(directory) === null) return { facts: [], damaged: [] };
  using home = await openProgramHome(directory, { clock: systemClock, ids: systemIds(systemClock) });
  const ledger = openTrustLedger(home.store);
  const read = (repo.length === 0 ? [null] : repo).map((one) => ledger.readable(one));
  return {
    facts: read.flatMap(({ facts }) => facts),
    damaged: read.flatMap(({ damaged }) => damaged),
  };
}

function describe(row: EvaluationRow): string[] {
  const { value, decided, judged, accepted, acceptance, reopened, medianReplyMs, usdPerAccepted } = row;
  return [
    value,
    String(decided),
    judged === 0 ? "-" : `${accepted}/${judged}`,
    acceptance === null
      ? "-"
      : `${acceptance.rate.toFixed(2)} [${acceptance.lower.toFixed(2)}, ${acceptance.upper.toFixed(2)}]`,
    String(reopened),
    medianReplyMs === null ? "-" : formatDuration(medianReplyMs),
    usdPerAccepted === null ? "-" : usdPerAccepted.toFixed(2),
  ];
}
