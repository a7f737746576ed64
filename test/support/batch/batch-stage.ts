import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openHome } from "agent-tty";
import { systemIds } from "agent-tty/kit";
import { openDuplicateIndexes } from "../../../src/duplicates/index.ts";
import { openStore, type Store } from "../../../src/store/index.ts";
import {
  type BatchEvent,
  type BatchPorts,
  type BatchSettings,
  type BatchSummary,
  type BatchWork,
  createCanaryDetector,
  createCommandAgent,
  createPublicationTurns,
  createSessionCleaner,
  defaultLabelNames,
  noBudget,
  openCheckpoints,
  openReproductionLibrary,
  runBatch,
} from "../../../src/triage/index.ts";
import { createLocalProvider, parentIdentity } from "../../../src/workspaces/index.ts";
import { createFakeGithub } from "../github/fake-github.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { createProduct } from "./create-product.ts";
import { expiringClock } from "./expiring-clock.ts";
import { processesNaming } from "./processes.ts";

export const AGENTS = join(import.meta.dirname, "../../fixtures/agents");

/** A repository with one real bug, a GitHub in memory, the local provider and real Sessions. */
export type BatchStage = Awaited<ReturnType<typeof openBatchStage>>;

export interface BatchChange {
  settings?: Partial<BatchSettings>;
  ports?: Partial<BatchPorts>;
  stop?: AbortSignal;
  /** The batch work; the default is triage. */
  work?: BatchWork;
}

export async function openBatchStage() {
  const directory = await temporaryDirectory();
  const product = await createProduct(join(directory.path, "product"));
  const { clock, advance, expire } = expiringClock();
  const ids = systemIds(clock);
  const github = createFakeGithub({ clock });
  const parent = await parentIdentity();
  const root = join(directory.path, "workspaces");
  const provider = createLocalProvider({ root, clock, ids, parent });
  const store = await openStore({ path: join(directory.path, "store.sqlite"), clock });
  const duplicates = openDuplicateIndexes(join(directory.path, "duplicates"), clock);
  const events: BatchEvent[] = [];
  const settings: BatchSettings = {
    ...defaultSettings,
    repos: [github.repo],
    checkout: { url: product, ref: null, strategy: "clone", setup: [] },
  };
  const canaries = createCanaryDetector([]);
  const ports: BatchPorts = {
    reader: github.reader,
    writer: github.writer,
    provider,
    triageAgent: createCommandAgent({
      command: [process.execPath, join(AGENTS, "by-title.mjs")],
      environment: {},
    }),
    modelMeter: null,
    sessionHome: await openHome({ directory: join(directory.path, "sessions"), clock, ids }),
    store,
    reproductions: openReproductionLibrary(join(directory.path, "reproductions"), ids),
    duplicates,
    checkpoints: openCheckpoints(join(directory.path, "checkpoints"), ids),
    runsDirectory: join(directory.path, "runs"),
    bundle: () => Promise.reject(new Error("no bundle was asked for")),
    markers: { keys: ["a marker key of this test"], trustedAuthors: [] },
    publishing: createPublicationTurns(() => ""),
    canaries,
    cleaner: createSessionCleaner(canaries),
    parent,
    clock,
    ids,
    observe: (event) => void events.push(event),
    withinIssue: (_, work) => work(),
  };
  return {
    directory: directory.path,
    github,
    provider,
    ports,
    settings,
    events,
    store,
    advance,
    expire,
    run: (change: BatchChange = {}): Promise<BatchSummary> =>
      runBatch(
        { ...settings, ...change.settings },
        { ...ports, ...change.ports },
        change.stop ?? new AbortController().signal,
        "new",
        change.work,
      ),
    /** Returns what a Triage Batch must never leave behind: processes and Coder workspaces. */
    left: async () => ({
      processes: await processesNaming(directory.path),
      workspaces: await readdir(root).catch(() => []),
    }),
    warnings: () => events.flatMap((event) => (event.type === "warning" ? [event.message] : [])),
    [Symbol.asyncDispose]: async () => {
      duplicates[Symbol.dispose]();
      store[Symbol.dispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

export const nothingLeft = { processes: [], workspaces: [] };

/** Settings of a Triage Batch without issues, with limits for a test. */
export const defaultSettings: BatchSettings = {
  repos: [],
  onlyIssues: [],
  dryRun: false,
  parallelism: 3,
  includeNeedsInfo: true,
  maxIssues: null,
  shard: null,
  batchDeadlineMs: null,
  runDeadlineMs: 120_000,
  inspection: null,
  firewallLog: null,
  budget: noBudget,
  labels: defaultLabelNames,
  needsInfoActivity: "reporter",
  cooldownMs: 7 * 24 * 3_600_000,
  checkout: { url: null, ref: null, strategy: "clone", setup: [] },
  reproduction: { place: "fresh", runs: 2, timeoutMs: 20_000, rangeMs: null },
  duplicates: { candidates: 5, requests: 5, proofs: 2, proofMs: 60_000, close: false },
  suggestsNatively: false,
  autonomy: {
    "needs-triage": "apply",
    "needs-info": "apply",
    "ready-for-agent": "apply",
    "ready-for-human": "apply",
    close: "apply",
  },
  workspacePrefix: null,
  sessionLogBytes: 256 * 1024 ** 2,
  pullRequestIntervalMs: 120_000,
  evidenceLocation: { type: "home" },
  privateEvidence: null,
};

export function failingStore(store: Store): Store {
  const fail = (): never => {
    throw new Error("the disk is full");
  };
  return { ...store, saveRun: fail, finishBatch: fail };
}

/** Opens a stage with that many waiting issues. */
export async function openBacklog(issues: number): Promise<BatchStage> {
  const stage = await openBatchStage();
  for (let index = 1; index <= issues; index += 1) {
    await stage.github.createIssue({ title: `issue ${index}`, labels: ["needs-triage"] });
  }
  return stage;
}
