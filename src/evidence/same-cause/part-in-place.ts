import { shellQuote } from "agent-tty/kit";
import { PRISTINE } from "../pipeline/index.ts";
import { writeWorkspaceFile } from "../../workspaces/index.ts";
import type { Claim } from "../claim.ts";
import {
  ask,
  bareCheckoutLines,
  type PlaceShell,
  type ProbeSettings,
  runIn,
  setupLines,
} from "../range/index.ts";
import { changedLines, type DiffUnit, readDiff, writePatch } from "./diff-units.ts";
import { smallestPart } from "./smallest-part.ts";

export interface PartRequest extends Omit<ProbeSettings, "claim"> {
  readonly first: Claim;
  readonly second: Claim;
  /** Commits: on `bad` both scripts show their bug, on `good` neither does. */
  readonly bad: string;
  readonly good: string;
  readonly hasTime: () => boolean;
}

const PATCH = "part.patch";
const LIMIT_MS = 60_000;
/** The maximum number of runs in the search for one script's part. */
const MAX_RUNS = 80;
/** The maximum number of hunks of a change that is divided. */
const MAX_UNITS = 2_000;
/** The maximum number of lines of a part. A larger part counts as a rewrite, which may fix several causes at once. */
const MAX_LINES = 40;
/** The largest share of the files that it changes which a part may remove. */
const MAX_SHARE = 0.5;

/**
 * Returns how many lines of the change from `bad` to `good` fix both bugs. The smallest part that fixes one of them must fix the
 * other as well, and vice versa. null: the parts differ, are too large to distinguish causes, or could not be found in time.
 */
export async function sharedPart(request: PartRequest, shell: PlaceShell): Promise<number | null> {
  const { first, second } = request;
  const units = await readUnits(request, shell);
  if (units.length === 0 || units.length > MAX_UNITS) return null;
  const partOfFirst = await smallestFix(first, units, request, shell);
  if (partOfFirst === null || !(await isSmall(partOfFirst, request, shell))) return null;
  if (!(await isFixedBy(second, partOfFirst, request, shell))) return null;
  const partOfSecond = await smallestFix(second, units, request, shell);
  if (partOfSecond === null || !(await isSmall(partOfSecond, request, shell))) return null;
  return (await isFixedBy(first, partOfSecond, request, shell)) ? changedLines(partOfFirst) : null;
}

async function readUnits({ bad, good }: PartRequest, shell: PlaceShell): Promise<DiffUnit[]> {
  const flags =
    "-U0 --full-index --binary --no-color --no-ext-diff --no-renames --src-prefix=a/ --dst-prefix=b/";
  const range = `${shellQuote(bad)} ${shellQuote(good)}`;
  const answer = await ask(
    [`git -C ${PRISTINE} -c core.quotePath=false diff ${flags} ${range} --`],
    shell,
    LIMIT_MS,
  );
  return answer?.exitCode === 0 ? readDiff(answer.stdout) : [];
}

/**
 * Returns the smallest part of the change that fixes the claim's bug; null: it was not found in time. The change is divided by file
 * first, then by hunk.
 */
async function smallestFix(
  claim: Claim,
  units: readonly DiffUnit[],
  request: PartRequest,
  shell: PlaceShell,
): Promise<readonly DiffUnit[] | null> {
  let runs = 0;
  const isEnough = async (some: readonly DiffUnit[]): Promise<boolean | null> => {
    if (runs >= MAX_RUNS || !request.hasTime()) return null;
    runs += 1;
    return isFixedBy(claim, some, request, shell);
  };
  const files = [...new Set(units.map(({ file }) => file))].map((file) =>
    units.filter((unit) => unit.file === file),
  );
  const needed = await smallestPart(files, async (some) => isEnough(some.flat()));
  if (needed === null) return null;
  return smallestPart(needed.flat(), isEnough);
}

/** Returns whether the script succeeds on `bad` with these parts of the change. */
async function isFixedBy(
  claim: Claim,
  units: readonly DiffUnit[],
  request: PartRequest,
  shell: PlaceShell,
): Promise<boolean> {
  const { workspace, directory, signal } = shell;
  await writeWorkspaceFile(workspace, `${directory}/${PATCH}`, Buffer.from(writePatch(units)), {}, signal);
  const apply = `git apply --unidiff-zero --whitespace=nowarn ../../${PATCH} >/dev/null 2>&1 || exit 92`;
  const lines = [...bareCheckoutLines(request.bad), apply, ...setupLines(request.setup)];
  return (await runIn(lines, { ...request, claim }, shell)).type === "good";
}

async function isSmall(
  units: readonly DiffUnit[],
  { bad }: PartRequest,
  shell: PlaceShell,
): Promise<boolean> {
  if (changedLines(units) > MAX_LINES) return false;
  const files = [...new Set(units.map(({ file }) => file))];
  const sizes = files.map(
    (file) => `git -C ${PRISTINE} cat-file -s ${shellQuote(`${bad}:${file}`)} 2>/dev/null || echo 0`,
  );
  const answer = await ask(sizes, shell, LIMIT_MS);
  const whole = (answer?.stdout ?? "").split("\n").reduce((sum, line) => sum + Number(line), 0);
  const removed = units
    .flatMap(({ body }) => body)
    .reduce((sum, line) => sum + (line.startsWith("-") ? Buffer.byteLength(line) : 0), 0);
  return removed <= whole * MAX_SHARE;
}
