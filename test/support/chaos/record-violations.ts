import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf, systemClock } from "agent-tty/kit";
import { openStore, type Store } from "../../../src/store/index.ts";
import { auditLogPath, readAuditLog } from "../../../src/triage/index.ts";
import type { SeenNotes } from "./read-notes.ts";

/** The published notes, by issue number. */
type Published = ReadonlyMap<number, readonly SeenNotes[]>;

/** Checks that the homes record the truth when every parent is dead: stores, audit logs and leftover files. */
export async function recordViolations(homes: readonly string[], published: Published): Promise<string[]> {
  const violations: string[] = [];
  const knownRuns = new Set<string>();
  const appliedBy = new Map<number, string[]>();
  for (const home of homes) {
    const label = basename(home);
    try {
      using store = await openStore({ path: join(home, "store.sqlite"), clock: systemClock });
      violations.push(...storeViolations(store, published).map((text) => `${label}: ${text}`));
      for (const { runId } of store.batches(100)) {
        knownRuns.add(runId);
        for (const number of publishedBy(store, runId))
          appliedBy.set(number, [...(appliedBy.get(number) ?? []), `${label} ${runId}`]);
        violations.push(
          ...(await auditViolations(home, runId, published)).map((text) => `${label}: ${text}`),
        );
      }
    } catch (error) {
      violations.push(`${label}: the store does not open: ${messageOf(error)}`);
    }
    violations.push(...(await leftFiles(home)).map((name) => `${label}: the temporary file ${name} is left`));
  }
  for (const [number, runs] of appliedBy)
    if (runs.length > 1) violations.push(`#${number} was worked out and published by ${runs.join(" and ")}`);
  for (const [number, notes] of published)
    for (const { runId } of notes)
      if (!knownRuns.has(runId))
        violations.push(`the batch ${runId} that commented on #${number} is in no store`);
  return violations;
}

/** T11: returns the issues that a batch published itself and did not only repair. */
function publishedBy(store: Store, runId: string): number[] {
  return store.runsOfBatch(runId).flatMap(({ number, progress }) => {
    if (progress.phase !== "settled" || progress.end.status !== "applied") return [];
    return progress.end.reason === "repair" ? [] : [number];
  });
}

function storeViolations(store: Store, published: Published): string[] {
  const live = store
    .liveRuns()
    .map(({ number, runId, progress }) => `#${number} of ${runId} is shown as ${progress.phase}`);
  const wrong = store.batches(100).flatMap(({ runId }) =>
    store.runsOfBatch(runId).flatMap(({ number, progress }) => {
      if (progress.phase !== "settled" || progress.end.status !== "applied") return [];
      const { reason, outcome } = progress.end;
      const isPublic = (published.get(number) ?? []).some(
        (notes) => notes.outcome === outcome && (reason === "repair" || notes.runId === runId),
      );
      return isPublic
        ? []
        : [`#${number} is stored as applied (${reason}, ${outcome}) by ${runId}, GitHub does not show it`];
    }),
  );
  return [...live, ...wrong];
}

async function auditViolations(home: string, runId: string, published: Published): Promise<string[]> {
  const path = auditLogPath(join(home, "runs"), runId);
  try {
    return (await readAuditLog(path)).flatMap(({ fact, number }) => {
      if (fact.type !== "done" || fact.write.type !== "publish-comment") return [];
      const { commentId } = fact.write;
      const isThere = (published.get(number) ?? []).some((notes) => notes.commentId === commentId);
      return isThere ? [] : [`${runId} recorded the comment ${commentId} on #${number}, which is not there`];
    });
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Returns the files with a temporary name, which incomplete files have. */
async function leftFiles(home: string): Promise<string[]> {
  const names = await readdir(home, { recursive: true });
  return names.filter((name) => /\.(?:tmp|new|part)(?:$|[-.])/.test(basename(name)));
}
