import type { CredentialFacts, RepositoryName } from "../github/index.ts";
import { type Answer, ask, type Asking, askAfter, judge, notAsked } from "./answer.ts";
import { type DoctorCheck, doctorCheckNames, failed, fleetCheckNames, ok, skip } from "./doctor-check.ts";
import { examineCoder } from "./examine-coder.ts";
import { examineFleet } from "./fleet/index.ts";
import {
  judgeClock,
  judgeEnvironment,
  judgeGit,
  judgeHome,
  judgeMarkerKey,
  judgeParallelism,
} from "./judge-machine.ts";
import { judgeCredential, judgeLabels, judgePermissions, judgeRepository } from "./judge-github.ts";
import { judgeLocalProvider, judgeTriageAgent } from "./judge-triage-agent.ts";
import type { DoctorFacts, DoctorProbes, DoctorSettings, GithubProbes } from "./probes.ts";

const LOCAL_LIMIT_MS = 10_000;
const NETWORK_LIMIT_MS = 20_000;
const TRIAGE_AGENT_LIMIT_MS = 60_000;

/**
 * Returns the checks of everything that a Triage Batch needs and, on request, of what a fleet needs, in the order of
 * `doctorCheckNames`, then of `fleetCheckNames`. Independent checks run concurrently.
 */
export async function examine(
  facts: DoctorFacts,
  probes: DoctorProbes,
  asking: Asking,
): Promise<DoctorCheck[]> {
  const configuration = await ask({ what: "read the configuration", limitMs: LOCAL_LIMIT_MS }, asking, () =>
    probes.configuration(),
  );
  const settings = configuration.type === "answered" ? configuration.value : null;
  const [git, ...others] = await Promise.all([
    checkGit(probes, asking),
    ...(settings === null ? [] : [examineSettings(settings, probes, asking)]),
  ]);
  const found = [
    judgeEnvironment(facts.environmentProblems),
    judgeMarkerKey(facts.markerKeyLength, facts.markerKeyMinimum),
    judge("config", configuration, ({ file }) => ok("config", file ?? "no config file: the defaults")),
    git,
    settings === null ? withoutSettings() : judgeParallelismOf(settings, facts),
    ...others,
  ];
  const names = [...doctorCheckNames, ...fleetCheckNames];
  const position = ({ name }: DoctorCheck): number => names.indexOf(name);
  return found.flat().toSorted((one, other) => position(one) - position(other));
}

async function checkGit(probes: DoctorProbes, asking: Asking): Promise<DoctorCheck> {
  const version = await ask({ what: "ask git for its version", limitMs: LOCAL_LIMIT_MS }, asking, (signal) =>
    probes.git(signal),
  );
  return version.type === "failed"
    ? failed("git", version.message, "Install git and put it on the PATH.")
    : judge("git", version, judgeGit);
}

function withoutSettings(): DoctorCheck[] {
  const names = ["parallelism", "home", "store", "disk", "pty", "github-credential", "repository"] as const;
  return names.map((name) => skip(name, "not checked: it needs config"));
}

function judgeParallelismOf({ settings }: DoctorSettings, { processors }: DoctorFacts): DoctorCheck {
  const { provider, batch } = settings;
  return judgeParallelism({ parallelism: batch.parallelism, provider, processors });
}

async function examineSettings(
  settings: DoctorSettings,
  probes: DoctorProbes,
  asking: Asking,
): Promise<DoctorCheck[]> {
  const fleet = probes.fleet?.(settings) ?? null;
  const isOfInstallations = settings.repos.length === 0 && (fleet?.probes.app ?? null) !== null;
  const checks = await Promise.all([
    examineHome(settings, probes, asking),
    isOfInstallations ? ofInstallations() : examineGithub(settings, probes.github(settings), asking),
    settings.settings.provider === "coder"
      ? examineCoder(settings, probes.coder(settings), asking)
      : examineLocal(probes, asking),
    examineTriageAgent(settings, probes, asking),
    fleet === null ? [] : examineFleet(fleet.facts, fleet.probes, asking),
  ]);
  return checks.flat();
}

/** Returns the checks of a fleet that names no repository: it makes its requests as a GitHub App, so both checks are skipped. */
function ofInstallations(): DoctorCheck[] {
  const names = ["github-credential", "repository"] as const;
  return names.map((name) =>
    skip(
      name,
      "no repository is named, so the fleet follows the installations of a GitHub App: see fleet-app",
    ),
  );
}

async function examineHome(
  { settings: { home } }: DoctorSettings,
  probes: DoctorProbes,
  asking: Asking,
): Promise<DoctorCheck[]> {
  const local = (what: string) => ({ what, limitMs: LOCAL_LIMIT_MS });
  const directory = await ask(local(`open the home ${home}`), asking, () => probes.home(home));
  const store = await askAfter(directory, "home", () =>
    ask(local("open the store"), asking, () => probes.store(home)),
  );
  // The engine examines terminals even if the home is refused.
  const engine = await ask(local("examine the session engine"), asking, () => probes.engine(home));
  return [
    judge("home", directory, judgeHome),
    judge("store", store, () => ok("store", "opens")),
    ...(["node", "pty", "disk"] as const).map((name) =>
      judge(name, engine, (checks) => {
        const check = checks.find((each) => each.name === name);
        if (check === undefined) return skip(name, "not checked: it needs home");
        return check.status === "ok" ? ok(name, check.detail) : failed(name, check.detail, check.remedy);
      }),
    ),
  ];
}

async function examineGithub(
  { repos, settings }: DoctorSettings,
  probes: GithubProbes,
  asking: Asking,
): Promise<DoctorCheck[]> {
  const network = (what: string) => ({ what, limitMs: NETWORK_LIMIT_MS });
  let skewMs: number | null = null;
  const credential = await ask(network("sign in to GitHub"), asking, async (signal) => {
    const facts = await probes.access().credential(signal);
    skewMs = facts.serverTimeMs === null ? null : asking.clock.nowMs() - facts.serverTimeMs;
    return facts;
  });
  const labels = Object.values(settings.batch.labels);
  const perRepository = await Promise.all(
    repos.map((repo) => examineRepository(repo, { credential, labels, probes }, asking)),
  );
  const unnamed = failed(
    "repository",
    "neither --repo, GITHUB_REPOSITORY nor the config file names one",
    "afk-triage doctor --repo owner/name",
  );
  return [
    judge("github-credential", credential, (facts) => judgeCredential(facts, asking.clock.nowMs())),
    judge("clock", credential.type === "answered" ? credential : notAsked("it needs github-credential"), () =>
      judgeClock(skewMs),
    ),
    ...(repos.length === 0 ? [unnamed] : perRepository.flat()),
  ];
}

async function examineRepository(
  repo: RepositoryName,
  facts: { credential: Answer<CredentialFacts>; labels: readonly string[]; probes: GithubProbes },
  asking: Asking,
): Promise<DoctorCheck[]> {
  const { credential, probes } = facts;
  const network = (what: string) => ({ what, limitMs: NETWORK_LIMIT_MS });
  const access = await askAfter(credential, "github-credential", () =>
    ask(network(`read ${repo}`), asking, (signal) => probes.access().repository(repo, signal)),
  );
  const labels = await askAfter(access, "repository", () =>
    ask(network(`list the labels of ${repo}`), asking, (signal) => probes.labels().names(repo, signal)),
  );
  return [
    judge("repository", access, (value) => judgeRepository(repo, value)),
    access.type === "answered" && credential.type === "answered"
      ? judgePermissions(repo, credential.value, access.value)
      : skip("github-permissions", "not checked: it needs repository"),
    judge("labels", labels, (present) => judgeLabels(repo, facts.labels, present)),
  ];
}

async function examineLocal(probes: DoctorProbes, asking: Asking): Promise<DoctorCheck[]> {
  const question = { what: "try out the local provider", limitMs: LOCAL_LIMIT_MS };
  const described = await ask(question, asking, (signal) => probes.localProvider(signal));
  return [judge("local-provider", described, judgeLocalProvider)];
}

async function examineTriageAgent(
  settings: DoctorSettings,
  probes: DoctorProbes,
  asking: Asking,
): Promise<DoctorCheck[]> {
  const question = { what: "look for the Triage Agent", limitMs: TRIAGE_AGENT_LIMIT_MS };
  const found = await ask(question, asking, (signal) => probes.triageAgent(settings, signal));
  return [judge("triage-agent", found, judgeTriageAgent)];
}
