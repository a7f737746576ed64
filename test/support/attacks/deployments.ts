import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { processesNaming } from "../batch/processes.ts";
import { ticksNow } from "../process-starts.ts";
import type { ProgramStage } from "../batch/program-stage.ts";
import { startCoderStandIn } from "../coder/index.ts";
import type { Attack } from "./attack.ts";

/**
 * The two providers that play every attack: private directories of this machine, and the strict stand-in for a Coder deployment.
 */
export const attackedProviders = ["local", "coder"] as const;
export type AttackedProvider = (typeof attackedProviders)[number];

/** The place where the Triage Agents of one attacked batch work. */
export interface AttackedDeployment extends AsyncDisposable {
  /** Keys of the config file. */
  config: object;
  environment: Readonly<Record<string, string>>;
  /**
   * The command prefix that lets a program see only the processes of its own machine. The stand-in's machines share a process
   * table, unlike those of a real deployment; the local provider separates them itself.
   */
  ownProcessTable: readonly string[];
  squat(attack: Attack, name: string): Promise<void>;
  /** Returns the squatters that are gone, and the Coder workspaces and processes of ours that are left. */
  faults(): Promise<string[]>;
  /** The names below `<home>/workspaces` that belong to squatters. */
  squatted: ReadonlySet<string>;
}

export function openDeployment(provider: AttackedProvider, stage: ProgramStage): Promise<AttackedDeployment> {
  return provider === "local" ? localDeployment(stage) : coderDeployment();
}

async function localDeployment(stage: ProgramStage): Promise<AttackedDeployment> {
  const root = join(stage.home, "workspaces");
  await mkdir(root, { recursive: true, mode: 0o700 });
  const squatted = new Set<string>();
  return {
    config: { provider: "local" },
    environment: {},
    ownProcessTable: [],
    squatted,
    squat: async ({ squat }, name) => {
      if (squat !== undefined) squatted.add(await squat.local(root, name));
    },
    faults: async () => {
      const found: string[] = await readdir(root).catch(() => []);
      return [
        ...[...squatted]
          .filter((name) => !found.includes(name))
          .map((name) => `deleted the squatter's ${name}`),
        ...found.filter((name) => !squatted.has(name)).map((name) => `left the Coder workspace ${name}`),
      ];
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function coderDeployment(): Promise<AttackedDeployment> {
  const since = ticksNow();
  const standIn = await startCoderStandIn();
  const squatters: string[] = [];
  return {
    config: { provider: "coder" },
    environment: {
      CODER_URL: standIn.url,
      CODER_SESSION_TOKEN: standIn.token,
      AFK_TRIAGE_CODER_BIN: standIn.binary,
    },
    ownProcessTable: ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"],
    squatted: new Set(),
    squat: ({ squat }, name) => {
      if (squat !== undefined) squatters.push(standIn.seed({ template: "triage", ...squat.coder(name) }).id);
      return Promise.resolve();
    },
    faults: async () => {
      standIn.liveNames();
      const live = standIn.state.workspaces.filter(({ isDeleted }) => !isDeleted);
      const processes = await processesNaming(dirname(standIn.binary), since);
      return [
        ...squatters
          .filter((id) => !live.some((workspace) => workspace.id === id))
          .map((id) => `deleted the squatter's ${id}`),
        ...live
          .filter(({ id }) => !squatters.includes(id))
          .map(({ name }) => `left the Coder workspace ${name}`),
        ...processes.map((line) => `left the process ${line}`),
      ];
    },
    [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
  };
}
