import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import type { IssueRef } from "../../../src/github/index.ts";
import type { BuiltProgram } from "../batch/program.ts";
import { openProgramStage, type ProgramStage } from "../batch/program-stage.ts";
import type { Attack, Seen } from "./attack.ts";
import { type AttackedDeployment, type AttackedProvider, openDeployment } from "./deployments.ts";
import { logFaults, requestFaults } from "./batch-laws.ts";
import { judge, readingsOf, type Verdict } from "./judge.ts";
import { outcomeText } from "./play-on-paper.ts";

const PARALLELISM = 4;
const POLL_MS = 50;
const BATCH_LIMIT_MS = 9 * 60_000;
const BYSTANDER = "an issue that nobody may touch";

/** Plays all these attacks in one batch of the real program, each on its own issue, against a GitHub over HTTP. */
export async function playForReal(
  attacks: readonly Attack[],
  program: BuiltProgram,
  provider: AttackedProvider,
): Promise<Verdict[]> {
  await using stage = await openProgramStage({
    ...program,
    start: (args, options) => program.start(args, { ...options, limitMs: BATCH_LIMIT_MS }),
  });
  await using deployment = await openDeployment(provider, stage);
  const { github } = stage;
  const bystander = await github.createIssue({ title: BYSTANDER, body: "It is fine.", labels: ["bug"] });
  const played = await arrange(attacks, stage, deployment);
  for (const { attack, ref } of played) await deployment.squat(attack, `widgets-triage-${ref.number}`);
  const [summaryFile, outputFile] = ["summary.md", "output.txt"].map((name) => join(stage.directory, name));
  const parallelism = attacks.some(({ playsAlone }) => playsAlone === true) ? 1 : PARALLELISM;
  const environment = Object.assign({}, ...attacks.map((attack) => attack.environment ?? {})) as Record<
    string,
    string
  >;
  const batch = stage.start(["run", "--parallelism", String(parallelism), "--run-deadline", "90s"], {
    ...environment,
    ...deployment.environment,
    GITHUB_STEP_SUMMARY: summaryFile ?? "",
    GITHUB_OUTPUT: outputFile ?? "",
  });
  const people = letPeopleAct(played, stage, batch);
  const { stdout, stderr, exitCode } = await batch;
  await people;
  const kept = new Map([
    ...(await filesUnder(stage.home)),
    ["stdout", stdout],
    ["stderr", stderr],
    ["job summary", await readFile(summaryFile ?? "", "utf8").catch(() => "")],
    ["step output", await readFile(outputFile ?? "", "utf8").catch(() => "")],
  ]);
  const faults = [
    ...logFaults(kept, exitCode ?? null),
    ...requestFaults(github.proxy.requests, new Set(played.map(({ ref }) => ref.number))),
    ...(await deployment.faults()),
    ...(await stage.processes()).map((line) => `left the process ${line}`),
    ...(await openFaults(stage.home, deployment.squatted)),
    ...((await stage.comments(bystander.number)).length > 0 ? ["another issue was commented on"] : []),
  ];
  const read = readingsOf(kept);
  const verdicts: Verdict[] = [];
  for (const one of played)
    verdicts.push(judge(one.attack, await seenOf(one, stdout, stderr, stage), read, provider));
  const whole: Verdict = {
    provider,
    row: "all",
    name: `the batch of ${attacks[0]?.row ?? ""} … ${attacks.at(-1)?.row ?? ""}: logs, requests, what is left`,
    expected: "inert",
    seen: `exit code ${exitCode}`,
    faults,
  };
  return [...verdicts, whole];
}

interface Played {
  attack: Attack;
  ref: IssueRef;
}

async function arrange(
  attacks: readonly Attack[],
  stage: ProgramStage,
  { config, ownProcessTable }: AttackedDeployment,
): Promise<Played[]> {
  const { github } = stage;
  const drops = join(stage.directory, "drops");
  await mkdir(drops);
  const played: Played[] = [];
  const deeds: Record<number, object> = {};
  for (const attack of attacks) {
    const {
      title = "it breaks",
      body = "It throws.",
      labels = ["needs-triage"],
      by = "reporter",
    } = attack.issue ?? {};
    const ref = await github.createIssue({ title, body, labels, by });
    for (const { by: author, body: text } of attack.comments ?? [])
      await github.comment(ref, author, typeof text === "string" ? text : text(ref));
    const { print = null, shell = null, outcome } = attack.agent;
    const text = outcome === null ? null : outcomeText(outcome, ref.number);
    const through = attack.looksAtProcesses === true ? ownProcessTable : [];
    deeds[ref.number] = { print, shell, through, outcome: text, waits: attack.meanwhile !== undefined };
    played.push({ attack, ref });
  }
  const scenario = join(stage.directory, "scenario.json");
  await writeFile(scenario, JSON.stringify({ drops, deeds }));
  await stage.configure({
    ...stage.config,
    ...config,
    reproduction: { runs: 1, timeout: "4s" },
    triageAgent: { kind: "command", command: [process.execPath, stage.agent("obeying"), scenario] },
  });
  return played;
}

/** Lets people act after the Triage Agent has begun and before it continues. */
async function letPeopleAct(
  played: readonly Played[],
  stage: ProgramStage,
  batch: Promise<unknown>,
): Promise<void> {
  const waiting = new Map(
    played.flatMap((one) => (one.attack.meanwhile === undefined ? [] : [[one.ref.number, one]])),
  );
  const over = new AbortController();
  void batch.then(() => over.abort());
  while (waiting.size > 0 && !over.signal.aborted) {
    for (const [number, { attack, ref }] of waiting) {
      const drop = join(stage.directory, "drops", String(number));
      const names: string[] = await readdir(drop).catch(() => []);
      if (!names.includes("started")) continue;
      waiting.delete(number);
      await attack.meanwhile?.(attackedWorld(stage), ref);
      await writeFile(join(drop, "go"), "");
    }
    await systemClock.sleep(POLL_MS);
  }
}

function attackedWorld({ github }: ProgramStage): Parameters<NonNullable<Attack["meanwhile"]>>[0] {
  return Object.assign(Object.create(github) as typeof github, {
    answerWith: ({ repo, number }: IssueRef, status: number) => {
      const before = github.proxy.onRequest;
      const path = `/repos/${repo}/issues/${number}`;
      github.proxy.onRequest = (request) =>
        request.path.split("?")[0] === path || request.path.startsWith(`${path}/`)
          ? {
              type: "answer",
              status,
              headers: status === 301 ? { location: `${github.apiUrl}/repositories/2/issues/1` } : {},
            }
          : before(request);
    },
  });
}

async function seenOf(
  { attack, ref }: Played,
  stdout: string,
  stderr: string,
  stage: ProgramStage,
): Promise<Seen> {
  const { number } = ref;
  stage.github.proxy.onRequest = () => null;
  const lookup = await stage.github.reader.issue(ref, AbortSignal.timeout(10_000));
  const comments = await stage.github.reader.comments(ref, AbortSignal.timeout(10_000));
  const ours = comments.filter(({ author }) => author?.login === stage.github.viewerLogin);
  const oursBefore = (attack.comments ?? []).filter(({ by }) => by === stage.github.viewerLogin).length;
  const drop = await filesUnder(join(stage.directory, "drops", String(number)));
  return {
    number,
    end: endOf(stdout, number),
    comments: ours.slice(oursBefore).map(({ body }) => body),
    labels: lookup.type === "found" ? lookup.issue.labels : [],
    state: lookup.type === "found" ? lookup.issue.state : "open",
    issueFile: drop.get("issue.json") ?? "",
    prompt: drop.get("prompt.md") ?? "",
    stderr,
    drop,
  };
}

interface SummaryLine {
  number: number;
  status: string;
  reason: string;
  outcome: string | null;
  policy: string[];
}

function endOf(stdout: string, number: number): string {
  try {
    const { issues } = JSON.parse(stdout) as { issues: SummaryLine[] };
    const line = issues.find((issue) => issue.number === number);
    if (line === undefined) return "not in the summary";
    const { status, reason, outcome, policy } = line;
    return status === "applied" ? [status, outcome, ...policy].join(" ") : `${status} ${reason}`;
  } catch {
    return "no summary";
  }
}

/** S17: returns what other users of this machine could read or write, except for what the squatters themselves left open. */
async function openFaults(home: string, squatted: ReadonlySet<string>): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const [folder, name = ""] = path.slice(home.length + 1).split("/");
    if (folder === "workspaces" && squatted.has(name)) continue;
    // A home with mode 0700 protects its directories; each file must be private itself.
    if (entry.isFile() && ((await lstat(path)).mode & 0o077) !== 0) found.push(path.slice(home.length + 1));
  }
  const isClosed = ((await lstat(home)).mode & 0o077) === 0;
  return [...(isClosed ? [] : ["the home is open"]), ...found.map((path) => `${path} is open to others`)];
}

/** Reads every file below the directory, by path, as latin1; the files are small enough to keep all of them in memory. */
async function filesUnder(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(directory.length + 1), await readFile(path, "latin1"));
  }
  return files;
}
