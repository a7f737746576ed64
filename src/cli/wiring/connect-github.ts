import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import {
  createOctokitGithub,
  createOctokitSetup,
  githubActionsViewer,
  type GithubCredential,
  type OctokitGithubOptions,
  openResponseFiles,
} from "../../github/index.ts";
import type { RunEnvironment } from "../../config/index.ts";
import type { ProgramHome } from "../../home/index.ts";
import { VERSION } from "../version.ts";

/** Returns the ports for `init` and `doctor`, whose answers always come from GitHub and never from a cache. */
export function connectGithubSetup(
  environment: RunEnvironment,
  credential: GithubCredential,
): ReturnType<typeof createOctokitSetup> {
  return createOctokitSetup({
    apiUrl: environment.githubApiUrl,
    credential,
    userAgent: `afk-triage/${VERSION}`,
    clock: systemClock,
    pacing: isLoopback(environment.githubApiUrl) ? "none" : "github",
    // The waits are short, because a person waits for the answer.
    maxRateLimitWaitMs: 5_000,
    maxOutageMs: 5_000,
  });
}

/** Returns the ports to GitHub as the environment configures it, with the responses that this home has cached. */
export async function connectGithub(
  environment: RunEnvironment,
  credential: GithubCredential,
  home: Pick<ProgramHome, "directory">,
  told: Pick<OctokitGithubOptions, "onCredential" | "onExchange"> = {},
): Promise<ReturnType<typeof createOctokitGithub>> {
  const directory = join(home.directory, "github-responses");
  return createOctokitGithub({
    apiUrl: environment.githubApiUrl,
    credential,
    ...told,
    responses: await openResponseFiles(directory, systemIds(systemClock)),
    userAgent: `afk-triage/${VERSION}`,
    clock: systemClock,
    pacing: isLoopback(environment.githubApiUrl) ? "none" : "github",
    // The token of an Actions job cannot query its own user, but GitHub documents which user it acts as.
    ...(environment.onActions ? { assumeViewer: githubActionsViewer } : {}),
  });
}

function isLoopback(url: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}
