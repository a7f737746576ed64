import { chmod, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { examineInstallation, freeBytes, nodePtySpawner } from "agent-tty";
import { type Clock, type Ids, messageOf, OperationalError } from "agent-tty/kit";
import { execa } from "execa";
import { openStore } from "../../../store/index.ts";
import {
  type CoderQuestions,
  createCoderQuestions,
  createLocalProvider,
  parentIdentity,
} from "../../../workspaces/index.ts";
import {
  chooseSettings,
  defaultRunFlags,
  findEnvironmentProblems,
  readConfigFile,
  readEnvironment,
  type RunEnvironment,
  type RunFlags,
} from "../../../config/index.ts";
import { examineDatabase } from "../../../fleet/index.ts";
import { storePath, openHomeDirectories } from "../../../home/index.ts";
import { connectGithubSetup } from "../connect-github.ts";
import type { CliErrorCode } from "../../exit-codes.ts";
import { connectionsOfWorker } from "../fleet/index.ts";
import { githubCredential } from "../github-credential.ts";
import { coderOptions, createTriageAgent, MARKER_KEY_MIN_CHARACTERS } from "../wire-ports.ts";
import {
  type DoctorFacts,
  type DoctorProbes,
  type DoctorSettings,
  lastVersion,
  tryTriageAgent,
} from "../../../doctor/index.ts";

export type DoctorRequest = Pick<RunFlags, "repo"> &
  Pick<Partial<RunFlags>, "provider" | "config" | "home"> & {
    /** Whether the checks for a fleet run, too. */
    fleet?: boolean;
  };

/** Returns the facts that need no probe. Invalid variables get their own check; the other checks treat them as unset. */
export function doctorFacts(env: NodeJS.ProcessEnv): { facts: DoctorFacts; environment: RunEnvironment } {
  const environmentProblems = findEnvironmentProblems(env);
  const wrong = new Set(environmentProblems.map(({ name }) => name));
  const sane = Object.fromEntries(Object.entries(env).filter(([name]) => !wrong.has(name)));
  const environment = readEnvironment(sane);
  const facts = {
    processors: availableParallelism(),
    environmentProblems,
    markerKeyLength: environment.markerKeys[0]?.length ?? null,
    markerKeyMinimum: MARKER_KEY_MIN_CHARACTERS,
  };
  return { facts, environment };
}

/**
 * Opens the probes, which act on this machine and on the network. They leave nothing behind but the home. Disposing removes their
 * scratch directory.
 */
export async function openProbes(
  request: DoctorRequest,
  environment: RunEnvironment,
  ports: { clock: Clock; ids: Ids },
): Promise<DoctorProbes & AsyncDisposable> {
  const scratch = await mkdtemp(join(await realpath(tmpdir()), "afk-triage-doctor-"));
  await chmod(scratch, 0o700);
  const localProvider = async () =>
    createLocalProvider({ root: join(scratch, "workspaces"), parent: await parentIdentity(), ...ports });
  const askCoder = ({ settings }: DoctorSettings): CoderQuestions =>
    createCoderQuestions(
      coderOptions(settings, environment, { cliDirectory: join(scratch, "coder-cli"), ...ports }),
    );
  return {
    git: async (signal) => (await execa({ cancelSignal: signal, stdin: "ignore" })`git --version`).stdout,
    configuration: async () => {
      const file = await readConfigFile(request.config ?? null, environment);
      const { settings } = chooseSettings({ ...defaultRunFlags, ...request }, environment, file.config);
      return { settings, file: file.path, repos: settings.batch.repos };
    },
    fleet: request.fleet === true ? (settings) => fleetQuestions(settings, environment, askCoder) : null,
    github: ({ repos }) => {
      const connect = () =>
        connectGithubSetup(environment, githubCredential(environment, repos[0] ?? "owner/name"));
      return { access: () => connect().access, labels: () => connect().labels };
    },
    coder: askCoder,
    home: (directory) => tryHome(directory, ports),
    store: async (directory) => {
      using store = await openStore({ path: storePath(directory), clock: ports.clock });
      void store;
    },
    engine: async (directory) =>
      examineInstallation({
        home: await engineHome(directory, ports),
        clock: ports.clock,
        nodeVersion: process.version,
        // A check must not register this home as one of agent-tty's.
        registry: {
          remember: () => Promise.resolve(),
          forget: () => Promise.resolve(false),
          list: () => Promise.resolve([]),
        },
        spawn: nodePtySpawner(ports.clock),
        freeBytes,
      }),
    localProvider: async (signal) => (await localProvider()).preflight(signal),
    triageAgent: async ({ settings: { provider, triageAgent, batch, home } }, signal) => {
      const candidate = createTriageAgent(triageAgent, batch.budget, ports.clock);
      const { name } = candidate;
      const tool = candidate.tui?.tool ?? null;
      if (provider === "coder") {
        const tui = tool === null ? null : { tool, version: await lastVersion(home, tool, ports) };
        return { place: "coder", name, tui };
      }
      const { problem, version } = await tryTriageAgent(candidate, await localProvider(), ports.ids, signal);
      return { place: "local", name, problem, tui: tool === null ? null : { tool, version } };
    },
    [Symbol.asyncDispose]: () => rm(scratch, { recursive: true, force: true }),
  };
}

/** Returns the queries for a fleet. Without a token in the environment, the fleet signs in as a GitHub App. */
function fleetQuestions(
  settings: DoctorSettings,
  environment: RunEnvironment,
  askCoder: (settings: DoctorSettings) => CoderQuestions,
): ReturnType<NonNullable<DoctorProbes["fleet"]>> {
  const { batch, provider } = settings.settings;
  const { databaseUrl, githubToken, webhookSecrets } = environment;
  return {
    facts: {
      connectionsOfWorker: connectionsOfWorker(batch.parallelism),
      hasWebhookSecret: webhookSecrets.length > 0,
      parallelism: batch.parallelism,
    },
    probes: {
      database: databaseUrl === null ? null : () => examineDatabase(databaseUrl),
      app:
        githubToken === null
          ? () => connectGithubSetup(environment, githubCredential(environment, null)).app
          : null,
      quota: provider === "coder" ? (signal) => askCoder(settings).quota(signal) : null,
    },
  };
}

async function tryHome(directory: string, ports: { clock: Clock; ids: Ids }) {
  const { runsDirectory } = await openHomeDirectories(directory, ports);
  const probe = join(runsDirectory, `.doctor-${ports.ids.hex(4)}`);
  try {
    await writeFile(probe, "", { mode: 0o600, flag: "wx" });
    await rm(probe);
  } catch (error) {
    throw new OperationalError<CliErrorCode>({
      code: "HOME_UNWRITABLE",
      message: `write into the home ${directory}: ${messageOf(error)}`,
      remedy: `chmod u+rwx ${directory}, or name another one with --home or AFK_TRIAGE_HOME.`,
      cause: error,
    });
  }
  return { directory, mode: (await stat(directory)).mode };
}

async function engineHome(directory: string, ports: { clock: Clock; ids: Ids }) {
  try {
    return { type: "opened", home: (await openHomeDirectories(directory, ports)).sessions } as const;
  } catch (error) {
    return { type: "refused", reason: messageOf(error), remedy: "" } as const;
  }
}
