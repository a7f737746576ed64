import { checkoutLines, type PlaceShell, reportedTag, runScriptIn } from "../range/index.ts";

export interface ObservationRequest {
  script: string;
  /** Command lines that set up a checkout. */
  setup: readonly string[];
  /** The time limit of one run, in milliseconds. */
  timeoutMs: number;
  /** Texts by people that may name the reported version, the most specific first. */
  texts: readonly string[];
  /** The repository's names. */
  productNames: readonly string[];
}

export interface Observation {
  /** The version that was run; null: the default branch. */
  version: string | null;
  /** null: the script exceeded its time limit or could not be run. */
  exitCode: number | null;
  /** A sentence for people that says why the script could not be run; null: it was run. */
  reason: string | null;
  output: string;
}

/**
 * Runs a script once on the version that the report names and once on the unchanged checkout, in a place whose pristine checkout
 * exists. Returns how each run ended, which proves nothing. Rejects with WORKSPACE_LOST.
 */
export async function observeScript(request: ObservationRequest, shell: PlaceShell): Promise<Observation[]> {
  const reported = await reportedTag(request, shell);
  const wanted = [...(reported === null ? [] : [reported]), { version: null, commit: "HEAD" }];
  const seen: Observation[] = [];
  for (const { version, commit } of wanted)
    seen.push({ version, ...(await runOnce(commit, request, shell)) });
  return seen;
}

async function runOnce(
  commit: string,
  { script, setup, timeoutMs }: ObservationRequest,
  shell: PlaceShell,
): Promise<Omit<Observation, "version">> {
  const ran = await runScriptIn(
    checkoutLines(commit, setup),
    { claim: { script, expect: null }, timeoutMs },
    shell,
  );
  if (ran.type !== "ended") return { exitCode: null, reason: ran.reason, output: "" };
  return { exitCode: ran.end.type === "exited" ? ran.end.exitCode : null, reason: null, output: ran.output };
}
