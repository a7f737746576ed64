import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, systemClock } from "agent-tty/kit";
import type { RepositoryName } from "../../src/github/index.ts";
import type { BuiltProgram } from "../support/batch/program.ts";
import { type EmulatedGithub, startEmulatedGithub } from "../support/github/emulated-github.ts";
import { seeded } from "../support/seeded.ts";
import type { FiledIssue } from "./backlog.ts";
import { type Filed, readPlayed, storeReproductions } from "./home-files.ts";
import type { PlayedIssue } from "./score.ts";

export interface PlayRequest {
  issues: readonly FiledIssue[];
  /** The directory of a product's git repository. */
  repositoryOf: (product: FiledIssue["product"]) => Promise<string>;
  program: BuiltProgram;
  /** An empty directory. */
  directory: string;
  /** The number of SIGKILLs, sent at random moments. */
  kills: number;
  jobs: number;
  seed: number;
  say: (line: string) => void;
}

export interface PlayReport {
  played: PlayedIssue[];
  killed: number;
  /** The sum over all parts of the sweep. */
  wallSeconds: number;
  cpuSeconds: number;
  /** The numbers of requests, by method and status, of the two idle sweeps afterwards. */
  idle: Record<string, number>[];
  /** The plain verification of stored reproductions: their number and duration. */
  verify: { issues: number; wallSeconds: number; cpuSeconds: number } | null;
  left: string[];
}

interface Part {
  exitCode: number | null;
  wallSeconds: number;
  cpuSeconds: number;
  stdout: string;
  stderr: string;
}

/** Files the backlog on an emulated GitHub and sweeps it with the built program, which is killed as often as requested. */
export async function playBacklog(request: PlayRequest): Promise<PlayReport> {
  const { issues, directory, say } = request;
  const repos = [...new Map(issues.map(({ product }) => [product.repo, product])).values()];
  await using github = await startEmulatedGithub({ moreRepos: repos.map(({ repo }) => repo) });
  const clones = new Map<string, string>();
  for (const product of repos) {
    clones.set(product.repo, await request.repositoryOf(product));
  }
  say(`${repos.length} repositories are built`);
  // The emulated GitHub does not serve git, so sweeps clone the directory itself.
  const before = github.proxy.onAnswer;
  github.proxy.onAnswer = async (asked, answer) => {
    const seen = await before(asked, answer);
    const clone = clones.get(/^\/repos\/([^/]+\/[^/?]+)$/.exec(asked.path)?.[1] ?? "");
    if (clone === undefined || seen.status !== 200) return seen;
    return { ...seen, body: JSON.stringify({ ...JSON.parse(seen.body), clone_url: clone }) };
  };
  const filed: Filed[] = [];
  for (const issue of issues) {
    const { title, body, product } = issue;
    const { number } = await github.createIssue({ title, body, repo: product.repo });
    filed.push({ ...issue, number });
  }
  await storeReproductions(filed, join(directory, "home"));
  say(`${filed.length} issues are filed`);
  const world = await openWorld(
    request,
    github,
    repos.map(({ repo }) => repo),
  );
  const { parts, killed } = await sweepToTheEnd(world, request);
  const idle = [];
  for (let round = 0; round < 2; round += 1) idle.push(await idleSweep(world, github));
  const verify = await verifyPlainly(world, filed);
  const last = parts.at(-1);
  return {
    played: await readPlayed(filed, github, join(directory, "home"), last?.stdout ?? "{}"),
    killed,
    wallSeconds: sum(parts.map(({ wallSeconds }) => wallSeconds)),
    cpuSeconds: sum(parts.map(({ cpuSeconds }) => cpuSeconds)),
    idle,
    verify,
    left: await readdir(join(directory, "home", "workspaces")).catch(() => []),
  };
}

interface World {
  program: BuiltProgram;
  directory: string;
  repos: readonly RepositoryName[];
  environment: Record<string, string>;
  jobs: number;
}

async function openWorld(
  { program, directory, jobs }: PlayRequest,
  github: EmulatedGithub,
  repos: readonly RepositoryName[],
): Promise<World> {
  await mkdir(join(directory, "person"), { recursive: true });
  const config = {
    provider: "local",
    reproduction: { runs: 3, timeout: "30s", range: "10m" },
    sweep: { close: true, commentsPerDay: 1_000, triageAgent: false },
  };
  await writeFile(join(directory, "machine.yml"), JSON.stringify(config));
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(directory, "person"),
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    AFK_TRIAGE_HOME: join(directory, "home"),
    AFK_TRIAGE_CONFIG: join(directory, "machine.yml"),
    GITHUB_API_URL: github.apiUrl,
    GITHUB_TOKEN: github.token,
    AFK_TRIAGE_MARKER_KEY: "a marker key of this backlog",
  };
  return { program, directory, repos, environment, jobs };
}

/**
 * Runs parents until the sweep is finished. Each is killed after a random part of the remaining issues; the last one is not
 * killed.
 */
async function sweepToTheEnd(
  world: World,
  { kills, seed, issues, say }: PlayRequest,
): Promise<{ parts: Part[]; killed: number }> {
  const random = seeded(seed + 1);
  const swept = join(world.directory, "home", "sweeps");
  const parts: Part[] = [];
  let killed = 0;
  for (;;) {
    const done = await verdictsIn(swept);
    const share = (issues.length - done) / (kills - killed + 1);
    const at = killed < kills ? done + Math.max(0, Math.floor(random() * 2 * share)) : null;
    const patienceMs = Math.floor(random() * 8_000);
    const part = await run(world, ["sweep", ...sweepArguments(world)], async (child) => {
      if (at === null) return;
      while (child.exitCode === null && (await verdictsIn(swept)) < at) await systemClock.sleep(200);
      await systemClock.sleep(patienceMs);
      child.kill("SIGKILL");
    });
    parts.push(part);
    if (part.exitCode === null) killed += 1;
    say(
      `${await verdictsIn(swept)} of ${issues.length} have a verdict, ${killed} kills, ${sum(parts.map((one) => one.wallSeconds)).toFixed(0)} s`,
    );
    if (part.exitCode === null) continue;
    if (part.exitCode !== 0)
      throw new Error(`the sweep ended with exit code ${part.exitCode}: ${part.stderr.slice(-2_000)}`);
    // A kill that came too late for this part is not counted, because the sweep is finished.
    return { parts, killed };
  }
}

function sweepArguments({ repos, jobs }: World): string[] {
  return ["--json", "--parallelism", String(jobs), ...repos.flatMap((repo) => ["--repo", repo])];
}

async function verdictsIn(directory: string): Promise<number> {
  let count = 0;
  for (const folder of await readdir(directory).catch(() => []))
    count += (await readdir(join(directory, folder)).catch(() => [])).filter((name) =>
      /^\d+\.json$/.test(name),
    ).length;
  return count;
}

async function idleSweep(world: World, github: EmulatedGithub): Promise<Record<string, number>> {
  const from = github.proxy.requests.length;
  await run(world, ["sweep", ...sweepArguments(world)], () => Promise.resolve());
  const counts: Record<string, number> = {};
  for (const { method, status } of github.proxy.requests.slice(from)) {
    const key = `${method} ${status ?? "dropped"}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/**
 * The plain verification (`verify --all`) adds no further repository from this number of issues on. Its duration shows how much a
 * sweep adds.
 */
const VERIFIED = 20;

async function verifyPlainly(world: World, filed: readonly Filed[]): Promise<PlayReport["verify"]> {
  const folder = join(world.directory, "home", "reproductions");
  const repos = [];
  let issues = 0;
  for (const repo of new Set(filed.map(({ product }) => product.repo))) {
    const stored = await readdir(join(folder, repo.replace("/", "__"))).catch(() => []);
    if (stored.length === 0 || issues >= VERIFIED) continue;
    repos.push(repo);
    issues += stored.length;
  }
  if (issues === 0) return null;
  const args = ["verify", "--all", "--json", "--parallelism", String(world.jobs)];
  const part = await run(world, [...args, ...repos.flatMap((repo) => ["--repo", repo])], () =>
    Promise.resolve(),
  );
  return { issues, wallSeconds: part.wallSeconds, cpuSeconds: part.cpuSeconds };
}

/**
 * Runs a command in bash, whose `times` reports the processor time of all ended descendants, including killed ones. The program
 * does not get the two variables, because it would treat their unknown values as secrets of its parent.
 */
const TIMED = `env -u AFK_BENCH_PID -u AFK_BENCH_TIMES "$@" & echo $! > "$AFK_BENCH_PID"; wait $!; code=$?; times > "$AFK_BENCH_TIMES"; exit $code`;

async function run(
  { program, directory, environment }: World,
  args: readonly string[],
  meanwhile: (child: { exitCode: number | null; kill: (signal: "SIGKILL") => void }) => Promise<void>,
): Promise<Part> {
  const startedMs = systemClock.monotonicMs();
  const [pidFile, timesFile] = [join(directory, "pid"), join(directory, "times")];
  await rm(pidFile, { force: true });
  const argv = ["-c", TIMED, "bash", process.execPath, join(program.directory, "afk-triage.js"), ...args];
  const env = { ...environment, AFK_BENCH_PID: pidFile, AFK_BENCH_TIMES: timesFile };
  const child = spawn("bash", argv, {
    cwd: join(directory, "person"),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [collect(child, "stdout"), collect(child, "stderr")];
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  const state = { exitCode: null as number | null };
  void ended.then((code) => (state.exitCode = code));
  const kill = (): void => {
    if (state.exitCode !== null) return;
    void readFile(pidFile, "utf8").then((pid) => {
      process.kill(Number(pid), "SIGKILL");
    });
  };
  const watching = meanwhile({
    get exitCode() {
      return state.exitCode;
    },
    kill,
  }).catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
  const code = await ended;
  await watching;
  const cpuSeconds = cpuOf(await readFile(timesFile, "utf8").catch(() => ""));
  return {
    // bash reports a SIGKILL as 128 + 9.
    exitCode: code === 137 ? null : code,
    wallSeconds: (systemClock.monotonicMs() - startedMs) / 1_000,
    cpuSeconds,
    stdout: stdout(),
    stderr: stderr(),
  };
}

function collect(child: ChildProcess, stream: "stdout" | "stderr"): () => string {
  const chunks: Buffer[] = [];
  child[stream]?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Returns the seconds in the second line of `times`: user and system time of ended children, such as `1m2.345s 0m3.210s`. */
function cpuOf(times: string): number {
  const [, line = ""] = times.split("\n");
  return sum(
    [...line.matchAll(/(\d+)m([\d.]+)s/g)].map(
      ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
    ),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
