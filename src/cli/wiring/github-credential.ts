import { createPrivateKey } from "node:crypto";
import { messageOf, OperationalError } from "agent-tty/kit";
import type { GithubCredential, RepositoryName } from "../../github/index.ts";
import type { RunEnvironment } from "../../config/index.ts";
import type { CliErrorCode } from "../exit-codes.ts";

type Secrets = Pick<RunEnvironment, "githubToken" | "appId" | "appPrivateKey">;

/**
 * Returns the credential. A token takes precedence over an App, because it was set for this very run. `repository` is the batch's
 * first.
 */
export function githubCredential(
  { githubToken, appId, appPrivateKey }: Secrets,
  repository: RepositoryName | null,
): GithubCredential {
  if (githubToken !== null) return { type: "token", token: githubToken };
  if (appId === null) {
    throw new OperationalError({
      code: "GITHUB_TOKEN_MISSING",
      message: "sign in to GitHub: neither GITHUB_TOKEN nor AFK_TRIAGE_APP_ID is set",
      remedy:
        "Set GITHUB_TOKEN to a token that may read contents and write issues of the repository, or AFK_TRIAGE_APP_ID and AFK_TRIAGE_APP_PRIVATE_KEY.",
    });
  }
  return { type: "app", appId, privateKey: readPrivateKey(appPrivateKey), repository };
}

/** Returns a private key in PEM form. Its line ends may also be written as \\n, as in one-line secrets. */
function readPrivateKey(text: string | null): string {
  if (text === null) throw invalidKey("it is not set");
  const pem = text.replaceAll("\\n", "\n").trim();
  try {
    return createPrivateKey(pem).export({ type: "pkcs8", format: "pem" }).toString();
  } catch (error) {
    throw invalidKey(messageOf(error));
  }
}

function invalidKey(seen: string): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "APP_KEY_INVALID",
    message: `sign in as a GitHub App: AFK_TRIAGE_APP_PRIVATE_KEY cannot be read: ${seen}`,
    remedy: "Set it to the whole PEM file which GitHub gave for the App, from BEGIN to END.",
  });
}
