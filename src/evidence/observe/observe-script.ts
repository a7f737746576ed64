import { checkoutLines, type PlaceShell, reportedTag, runScriptIn } from "../range/index.ts";

export interface ObservationRequest {
  script: string;
  /** Command lines that set a checkout up. */
  setup: readonly string[];
  /** The time limit of one run. */
  timeoutMs: number;
  /** Texts of people that may name the reported version, the most telling first. */
  texts: readonly string[];
  /** The repository's names. */
  productNames: readonly string[];
}

export interface Observation {
  /** The version that was run; null: the default branch. */
  version: string | null;
  /** null: it did not end in its time, or could not be run. */
  exitCode: number | null;
  /** Why it could not be run, a sentence for people; null: it was run. */
  reason: string | null;
  output: string;
}

/**
 * Runs a script once on the version that the report names and once on the checkout as it is, in a place whose pristine
 * checkout exists. It tells how the script ends and proves nothing. Rejects with WORKSPACE_LOST.
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
