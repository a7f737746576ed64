import { createAppAuth } from "@octokit/auth-app";
import { RequestError } from "@octokit/request-error";
import type { Octokit } from "@octokit/rest";
import type { RepositoryName } from "../port.ts";
import { nameOf } from "./routes.ts";

export type GithubCredential =
  /** A personal, fine-grained or installation token. */
  | { type: "token"; token: string }
  /**
   * A GitHub App: one installation an account, found by repository, each with short-lived tokens of its own.
   * `repository` tells which installation answers for what names no repository; null: only the App itself and named installations
   * are asked.
   */
  | { type: "app"; appId: string; privateKey: string; repository: RepositoryName | null };

interface Names {
  owner: string;
  repo: string;
}

/** Which signed-in client a request goes through. Failures are Octokit's own, for the wire to judge. */
export interface SignIn {
  /**
   * Signs in for what a request names. Asks once more where GitHub refuses the installation that was known: after the App was
   * installed again it has another one.
   */
  asOwner<Answer>(names: Names | null, ask: (octokit: Octokit) => Promise<Answer>): Promise<Answer>;
  /** Signs in as the App itself; null: we do not sign in as an App. */
  readonly app: Octokit | null;
  /** Signs in as the installation of this id. Throws if no App is configured. */
  forInstallation(installationId: number): Octokit;
  /** The token that git presents for a repository. */
  token(repo: RepositoryName): Promise<string>;
}

/** GitHub knows no installation of the App that covers the repository. */
export class AppNotInstalled extends Error {
  constructor(repo: string) {
    super(`the GitHub App is not installed on ${repo}`);
    this.name = "AppNotInstalled";
  }
}

/** `account`: for what GitHub counts requests, and asks for a pace: an installation each, or the owner of the token. */
export type MakeOctokit = (auth: object, account: string) => Octokit;

/** Signs requests with a token, or as a GitHub App with short-lived installation tokens. */
export function signIn(credential: GithubCredential, make: MakeOctokit): SignIn {
  return credential.type === "token" ? withToken(credential.token, make) : asApp(credential, make);
}

function withToken(token: string, make: MakeOctokit): SignIn {
  const octokit = make({ auth: token }, "token");
  return {
    asOwner: (_, ask) => ask(octokit),
    app: null,
    forInstallation: () => {
      throw new Error("only a GitHub App has installations");
    },
    token: () => Promise.resolve(token),
  };
}

function asApp(credential: Extract<GithubCredential, { type: "app" }>, make: MakeOctokit): SignIn {
  const { appId, privateKey, repository } = credential;
  const app = make({ authStrategy: createAppAuth, auth: { appId, privateKey } }, "app");
  const installations = new Map<string, Promise<Octokit>>();

  const forInstallation = (installationId: number): Octokit =>
    make(
      { authStrategy: createAppAuth, auth: { appId, privateKey, installationId } },
      `installation ${installationId}`,
    );
  const install = async (names: Names): Promise<Octokit> => {
    const { data } = await app.rest.apps.getRepoInstallation({ ...names }).catch((error: unknown): never => {
      const isMissing = error instanceof RequestError && error.status === 404;
      throw isMissing ? new AppNotInstalled(`${names.owner}/${names.repo}`) : error;
    });
    return forInstallation(data.id);
  };
  const forget = (owner: string, known: Promise<Octokit>): void => {
    if (installations.get(owner) === known) installations.delete(owner);
  };
  const find = (names: Names): Promise<Octokit> => {
    const known = installations.get(names.owner);
    if (known !== undefined) return known;
    const found = install(names);
    installations.set(names.owner, found);
    // A failure is not remembered: the App may be installed a moment later.
    found.catch(() => forget(names.owner, found));
    return found;
  };
  const asOwner: SignIn["asOwner"] = async (names, ask) => {
    if (names === null && repository === null)
      throw new Error("no repository tells which installation to ask");
    const wanted = names ?? nameOf(repository as RepositoryName);
    const known = find(wanted);
    const octokit = await known;
    try {
      return await ask(octokit);
    } catch (error) {
      if (!isInstallationRefused(error)) throw error;
      forget(wanted.owner, known);
    }
    return ask(await find(wanted));
  };
  return {
    asOwner,
    app,
    forInstallation,
    token: (repo) =>
      asOwner(nameOf(repo), async (octokit) => {
        const { token } = (await octokit.auth({ type: "installation" })) as { token: string };
        return token;
      }),
  };
}

/** Nothing was done then: the token of an installation is refused, or GitHub has none for it. */
function isInstallationRefused(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.status === 401 || (error.status === 404 && error.request.url.endsWith("/access_tokens"));
}
