import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openHome, type Session } from "agent-tty";
import { messageOf, startDeadline, systemClock, systemIds } from "agent-tty/kit";
import pLimit from "p-limit";
import { type ClaimVerification, isEvidence, verifyClaim } from "../../src/evidence/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import type { EvidencePair, EvidenceScript } from "./evidence-data.ts";
import { localPlaces } from "./local-place.ts";

const ADAPTERS = join(import.meta.dirname, "../../templates/controls");
const RUN_LIMIT_MS = 30_000;
const VERIFICATION_LIMIT_MS = 15 * 60_000;

export interface PlayedScript {
  readonly id: string;
  readonly verification: ClaimVerification;
  readonly seconds: number;
}

export interface PlayOptions {
  /** Creates the git repository of a package at `to`, with a tag `v<version>` for each version. */
  readonly buildRepository: (
    packageName: string,
    versions: readonly string[],
    to: string,
  ) => Promise<unknown>;
  /** The number of verifications at a time. */
  readonly jobs: number;
  /** Called after each script. */
  readonly onPlayed: (played: PlayedScript) => Promise<void>;
}

/** Verifies every script on the local provider, each in a separate place with a clone of its package's repository. */
export async function playScripts(
  scripts: readonly EvidenceScript[],
  pairs: readonly EvidencePair[],
  options: PlayOptions,
): Promise<PlayedScript[]> {
  await using directory = await temporaryDirectory();
  const ids = systemIds(systemClock);
  const home = await openHome({ directory: join(directory.path, "sessions"), clock: systemClock, ids });
  const places = await localPlaces(join(directory.path, "places"), home, ids);
  const adapters = {
    javascript: await readFile(join(ADAPTERS, "javascript.cjs"), "utf8"),
    python: await readFile(join(ADAPTERS, "python.py"), "utf8"),
  };
  const byId = new Map(pairs.map((pair) => [pair.id, pair]));
  const repositories = new Map<string, Promise<string>>();
  const repositoryOf = (packageName: string): Promise<string> => {
    const to = join(directory.path, `repository-${packageName.replaceAll(/\W/g, "_")}`);
    const versions = new Set(
      pairs.filter((one) => one.package === packageName).map((one) => one.reportVersion),
    );
    const building =
      repositories.get(packageName) ?? options.buildRepository(packageName, [...versions], to).then(() => to);
    repositories.set(packageName, building);
    return building;
  };
  const play = async (script: EvidenceScript): Promise<PlayedScript> => {
    const pair = byId.get(script.pair);
    if (pair === undefined) throw new Error(`${script.id} names the pair ${script.pair}, which is not there`);
    const repository = await repositoryOf(pair.package);
    const startedMs = systemClock.monotonicMs();
    using deadline = startDeadline(systemClock, `the verification of ${script.id}`, VERIFICATION_LIMIT_MS);
    const { signal } = deadline;
    await using place = await places.open(`evidence-${ids.hex(6)}`, signal);
    const endsMs = startedMs + VERIFICATION_LIMIT_MS;
    const remainingMs = (): number => Math.max(1, Math.round(endsMs - systemClock.monotonicMs()));
    const sessions: Session[] = [];
    const openBeside = async (): Promise<Session> => {
      const opened = await place.openSession(signal);
      sessions.push(opened);
      return opened;
    };
    const session = await openBeside();
    const checkout = (to: Session, name: string): Promise<void> =>
      cloneAt(to, repository, `v${pair.reportVersion}`, name, remainingMs(), signal);
    const request = {
      claim: { script: script.script, expect: script.expect },
      runs: 3,
      timeoutMs: RUN_LIMIT_MS,
      adapters,
      scriptHash: null,
      checkout,
      openBeside,
      issueText: `${pair.title}\n${pair.body}`,
    };
    const ports = { clock: systemClock, ids, signal, remainingMs };
    try {
      const verification = await verifyClaim(request, place, session, ports).catch(
        (error: unknown): ClaimVerification => ({ type: "impossible", reason: messageOf(error) }),
      );
      const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
      const played = { id: script.id, verification, seconds };
      await options.onPlayed(played);
      return played;
    } finally {
      for (const one of sessions) await one.destroy();
    }
  };
  const limit = pLimit(options.jobs);
  return await Promise.all(scripts.map((script) => limit(() => play(script))));
}

/** Returns the prediction in the terms of `score.mjs`. */
export function predictionOf({ verification }: PlayedScript): "accept" | "flaky" | "refuse" {
  if (verification.type === "impossible") return "refuse";
  if (verification.verdict.type === "flaky") return "flaky";
  return isEvidence(verification.verdict) ? "accept" : "refuse";
}

/** Clones the repository at a tag into the folder `name` below the Session's directory. Rejects if git fails. */
export async function cloneAt(
  session: Session,
  repository: string,
  tag: string,
  name: string,
  callerTimeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const line = `git clone --quiet --no-local --template= '${repository}' ${name} && git -C ${name} checkout --quiet --detach ${tag}`;
  const result = await session.run(line, { callerTimeoutMs, signal });
  if (result.type !== "completed" || result.exitCode !== 0) throw new Error(`${line} failed`);
}
