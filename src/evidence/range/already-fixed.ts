import type { Clock } from "agent-tty/kit";
import type { Claim } from "../claim.ts";
import { claimLines, isMatch } from "../decide/index.ts";
import type { Range } from "../grade.ts";
import { checkoutLines, probeCommit, type ProbeSettings, runScriptIn } from "./place-probe.ts";
import type { PlaceShell } from "./place-shell.ts";
import { rangeInPlace } from "./range-in-place.ts";
import { type ReportedTagRequest, reportedTag } from "./reported-tag.ts";

/** A bug that shows on the reported version and no longer on the default branch. */
export interface AlreadyFixed {
  /** The reported version. */
  version: string;
  commit: string;
  /** Every run of the script on it showed the bug. */
  runs: number;
  range: Range;
}

export interface FixedRequest extends ProbeSettings, ReportedTagRequest {
  /** Commit of the default branch, where the bug did not show. */
  head: string;
  /** On the reported version. */
  runs: number;
  budgetMs: number;
}

/**
 * V5: whether the bug shows in every run on the version that the report names, and the script succeeds on the default
 * branch. null: no version is named or tagged, a run says something else, or that version fails alike without its own files (V2): it
 * lacks what the script needs. Rejects with WORKSPACE_LOST.
 */
export async function alreadyFixed(
  request: FixedRequest,
  shell: PlaceShell & { clock: Clock },
): Promise<AlreadyFixed | null> {
  const { claim, setup } = request;
  const reported = await reportedTag({ ...request, script: claim.script }, shell);
  if (reported === null || reported.commit === request.head) return null;
  const head = await probeCommit(request.head, request, shell);
  if (head.type !== "good") return null;
  const checkout = checkoutLines(reported.commit, setup);
  const shown = new Set<string>();
  for (let run = 1; run <= request.runs; run += 1) {
    const lines = linesOfClaim(await runScriptIn(checkout, request, shell), claim);
    if (lines === null) return null;
    shown.add(lines);
  }
  const withoutProduct = await runScriptIn([...checkout, ...REMOVE_PRODUCT], request, shell);
  const lines = linesOfClaim(withoutProduct, claim);
  if (lines !== null && (shown.size > 1 || shown.has(lines))) return null;
  const range = await rangeInPlace(
    { ...request, bad: reported.commit, head: { commit: request.head, state: "good" } },
    shell,
  );
  return { ...reported, runs: request.runs, range };
}

/** All that git tracks, and what the set-up has built, but for the modules that it has installed. */
const REMOVE_PRODUCT = [
  "git ls-files -z | xargs -0 -r rm -f -- || exit 92",
  String.raw`find . \( -name .git -o -name node_modules \) -prune -o -type f -exec rm -f -- {} + || exit 92`,
];

/** null: the run does not show the claim. */
function linesOfClaim(ran: Awaited<ReturnType<typeof runScriptIn>>, claim: Claim): string | null {
  return ran.type === "ended" && isMatch(claim, ran) ? claimLines(claim, ran.output) : null;
}
