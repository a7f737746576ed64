import type { Clock, Ids } from "agent-tty/kit";
import type { RepositoryName } from "../../github/index.ts";
import type { DemoIssue } from "../issues/index.ts";
import { type IssueState, readIssueStates } from "./final-state.ts";
import { startLoopbackEmulator } from "./loopback-emulator.ts";
import { restClient } from "./rest-client.ts";
import { seedIssues } from "./seed-issues.ts";

export interface DemoGithub extends AsyncDisposable {
  /** The value of GITHUB_API_URL. Loopback only. */
  apiUrl: string;
  /** The token of `triage-bot`, who wrote the earlier triage notes. It is valid only for this emulator. */
  token: string;
  repo: RepositoryName;
  /** The number of each demo issue, by its key. */
  numbers: ReadonlyMap<string, number>;
  /** Returns all issues and pull requests in their current state. */
  readState(signal: AbortSignal): Promise<IssueState[]>;
}

export interface DemoGithubRequest {
  issues: readonly DemoIssue[];
  /** A directory that belongs to the demo. */
  directory: string;
  /** The key with which the batch checks markers (AFK_TRIAGE_MARKER_KEY); undefined: markers are unsigned. */
  markerKey: string | undefined;
  clock: Clock;
  ids: Ids;
}

export const DEMO_REPOSITORY: RepositoryName = "tidytext/tidytext";

const MAINTAINER = "mira-o";
const BOT = "triage-bot";

const LABELS: readonly { name: string; color: string }[] = [
  { name: "bug", color: "d73a4a" },
  { name: "enhancement", color: "a2eeef" },
  { name: "good first issue", color: "7057ff" },
  { name: "needs-triage", color: "ededed" },
  { name: "needs-info", color: "fbca04" },
  { name: "ready-for-agent", color: "0e8a16" },
  { name: "ready-for-human", color: "1d76db" },
  { name: "wontfix", color: "ffffff" },
];

/** Serves the demo's issue tracker on a free loopback port. Rejects with DEMO_GITHUB_FAILED, or the signal's reason. */
export async function startDemoGithub(request: DemoGithubRequest, signal: AbortSignal): Promise<DemoGithub> {
  signal.throwIfAborted();
  const tokens = issueTokens(request);
  const emulator = await startLoopbackEmulator({
    seed: seedConfig(tokens),
    name: request.ids.hex(8),
    directory: request.directory,
  });
  try {
    const clientOf = (login: string) => restClient(emulator.url, tokenOf(tokens, login));
    const bot = clientOf(BOT);
    for (const label of LABELS) await bot.post(`/repos/${DEMO_REPOSITORY}/labels`, label, signal);
    const { issues, markerKey, clock } = request;
    const numbers = await seedIssues({ repo: DEMO_REPOSITORY, issues, markerKey, clientOf, clock }, signal);
    return {
      apiUrl: emulator.url,
      token: tokenOf(tokens, BOT),
      repo: DEMO_REPOSITORY,
      numbers,
      readState: (signal) => readIssueStates(bot, DEMO_REPOSITORY, signal),
      [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose](),
    };
  } catch (error) {
    await emulator[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns a token for each login. Tokens are random, because other programs of this machine can reach the port. */
function issueTokens(request: DemoGithubRequest): Map<string, string> {
  const reporters = request.issues.flatMap((issue) => [
    issue.author,
    ...issue.comments.map(({ author }) => author),
  ]);
  const logins = new Set<string>([MAINTAINER, BOT, ...reporters]);
  return new Map([...logins].map((login) => [login, `ghp_demo${request.ids.hex(16)}`]));
}

function tokenOf(tokens: Map<string, string>, login: string): string {
  const token = tokens.get(login);
  if (token === undefined) throw new Error(`no such user of the demo's GitHub: ${login}`);
  return token;
}

function seedConfig(tokens: Map<string, string>) {
  const [owner = "", name = ""] = DEMO_REPOSITORY.split("/");
  return {
    tokens: Object.fromEntries([...tokens].map(([login, token]) => [token, { login, scopes: ["repo"] }])),
    github: {
      // A request with an unknown token acts as the first user, who has no rights.
      users: ["nobody", ...tokens.keys()].map((login) => ({ login, name: login })),
      orgs: [{ login: owner, members: [MAINTAINER, BOT].map((login) => ({ login, role: "admin" })) }],
      repos: [{ owner, name, language: "JavaScript", auto_init: true }],
    },
  };
}
