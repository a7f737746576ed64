import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Ids, writeFileAtomic } from "agent-tty/kit";
import { z } from "zod";
import { evidenceSchema, type VerificationEvidence } from "./evidence/index.ts";
import { refused, releaseError } from "./release-error.ts";

const recordSchema = z.object({
  schema: z.literal("afk-triage/release-record@1"),
  version: z.string(),
  /** Commits that `prep` created for the version, newest last. */
  commits: z.array(z.string()),
  /** The verifications of these commits, newest last. */
  verifications: z.array(z.object({ commit: z.string(), evidence: evidenceSchema })),
});

type Content = z.infer<typeof recordSchema>;

const MAX_COMMITS = 100;
const MAX_VERIFICATIONS = 20;

/** The record that `prep` keeps of one version of one repository, in the home. */
export interface ReleaseRecord {
  /** The directory of everything that is kept of the version, including recordings and the pull request's text. */
  readonly directory: string;
  commits(): ReadonlySet<string>;
  /**
   * Records a commit of `prep`. It must be called before a branch points at the commit: an unrecorded commit counts as a person's.
   */
  addCommit(commit: string): Promise<void>;
  /** Returns the evidence that the commit passed these commands; null if there is none. */
  passed(commit: string, commands: readonly string[]): VerificationEvidence | null;
  addVerification(commit: string, evidence: VerificationEvidence): Promise<void>;
}

/** Returns `<releases>/<name>-<digest of the repository's path>`. */
export function repositoryDirectory(releasesDirectory: string, commonDirectory: string): string {
  const digest = createHash("sha256").update(commonDirectory).digest("hex").slice(0, 12);
  const place = basename(commonDirectory) === ".git" ? dirname(commonDirectory) : commonDirectory;
  const name = basename(place).replaceAll(/[^\w.-]/g, "_");
  return join(releasesDirectory, `${name}-${digest}`);
}

/**
 * Opens the record of one release and creates its directory. A missing or unreadable record starts empty. Each change is written
 * atomically.
 */
export async function openReleaseRecord(
  repository: string,
  version: string,
  ids: Ids,
): Promise<ReleaseRecord> {
  const directory = join(repository, `v${version}`);
  const path = join(directory, "record.json");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  let content = await readRecord(path, version);
  const save = async (next: Content): Promise<void> => {
    content = next;
    await writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`, ids.hex(8));
  };
  return {
    directory,
    commits: () => new Set(content.commits),
    addCommit: (commit) => save({ ...content, commits: [...content.commits, commit].slice(-MAX_COMMITS) }),
    passed: (commit, commands) =>
      content.verifications.findLast(
        ({ evidence, ...one }) =>
          one.commit === commit &&
          evidence.status === "passed" &&
          JSON.stringify(evidence.commands.map(({ command }) => command)) === JSON.stringify(commands),
      )?.evidence ?? null,
    addVerification: (commit, evidence) =>
      save({
        ...content,
        verifications: [...content.verifications, { commit, evidence }].slice(-MAX_VERIFICATIONS),
      }),
  };
}

/**
 * Returns the stored content. An unreadable record counts as missing: then every branch counts as a person's, and nothing counts as
 * verified.
 */
async function readRecord(path: string, version: string): Promise<Content> {
  const empty: Content = {
    schema: "afk-triage/release-record@1",
    version,
    commits: [],
    verifications: [],
  };
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return empty;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return empty;
  }
}

/**
 * Takes a lock that only one process at a time may hold, until it is disposed or the process ends; null if another process holds
 * it.
 */
export type TakeLock = (path: string) => Disposable | null;

/** Takes the lock that allows only one release step of a repository at a time. Rejects with RELEASE_BUSY. */
export async function holdRepository(directory: string, takeLock: TakeLock): Promise<Disposable> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(directory, "release.lock"));
  if (lock !== null) return lock;
  throw releaseError(
    refused(
      "RELEASE_BUSY",
      "begin a release step: another process is running a release step of the same repository",
      "Let it finish. The lock ends with that process, however it ends.",
    ),
  );
}
