import { userInfo } from "node:os";
import { systemClock, systemIds } from "agent-tty/kit";
import { defaultRunFlags, readConfig, readEnvironment, resolveSettings } from "../../config/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import { existingStorePath, openProgramHome } from "../../home/index.ts";
import { layTable } from "../../layout/index.ts";
import { autonomyOverview, type KindOverview, openTrustLedger, type OutcomeKind } from "../../trust/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";

export interface AutonomyRequest {
  repo: readonly RepositoryName[];
  veto?: OutcomeKind;
  release?: OutcomeKind;
  config?: string;
  home?: string;
}

/** `afk-triage autonomy`: reads and writes only the home. A veto or a release takes effect from the next batch on. */
export async function autonomyCommand(request: AutonomyRequest, output: Output): Promise<number> {
  const environment = readEnvironment(process.env);
  const config = await readConfig(request.config ?? null, environment);
  const flags = { ...defaultRunFlags, repo: request.repo, home: request.home };
  const { home: directory, batch } = resolveSettings(flags, environment, config);
  const ids = systemIds(systemClock);
  const { veto, release } = request;
  const kind = veto ?? release;
  const hasNothing = kind === undefined && existingStorePath(directory) === null;
  using home = hasNothing ? null : await openProgramHome(directory, { clock: systemClock, ids });
  const ledger = home === null ? null : openTrustLedger(home.store);
  const repos = batch.repos.map((repo) => {
    if (kind !== undefined)
      ledger?.record({
        type: veto === undefined ? "released" : "vetoed",
        key: `by-hand:${ids.hex(8)}`,
        repo,
        number: null,
        runId: "",
        atMs: systemClock.nowMs(),
        detail: { kind, by: userInfo().username },
      });
    return { repo, kinds: autonomyOverview(batch.autonomy, ledger?.of(repo) ?? []) };
  });
  for (const { repo, kinds } of repos) output.answer([repo, ...describe(kinds, output)]);
  output.document({ schema: "afk-triage/autonomy@1", repos });
  return exitCodes.done;
}

/** Returns the text about a veto on a kind. A veto has an effect only if the setting of the kind is `earned`. */
function heldText(kind: OutcomeKind, setting: KindOverview["setting"]): string {
  return setting === "earned"
    ? "held by a veto"
    : `a veto without effect: autonomy.${kind} is ${setting}, not earned`;
}

function describe(kinds: readonly KindOverview[], { answerColumns }: Output): string[] {
  const rows = kinds.map(({ kind, setting, level, isHeld, judged, accepted, lower, moves }) => [
    kind,
    setting === level ? level : `${level} (${setting})`,
    judged === 0 ? "-" : `${accepted}/${judged}`,
    judged === 0 ? "-" : lower.toFixed(3),
    isHeld ? heldText(kind, setting) : (moves.at(-1)?.why ?? "-"),
  ]);
  const heads = ["outcome", "level", "accepted", "lower bound", "last move"];
  return layTable([heads, ...rows], { columns: answerColumns, flexible: [4] });
}
