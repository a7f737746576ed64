import { createAppAuth } from "@octokit/auth-app";
import { RequestError } from "@octokit/request-error";
import type { Octokit } from "@octokit/rest";
import type { RepositoryName } from "../port.ts";
import { nameOf } from "./routes.ts";

export type GithubCredential =
  /** A personal, fine-grained or installation token. */
  | { type: "token"; token: string }
  /**
   * A GitHub App: one installation per account, found by repository, each with its own short-lived tokens. Requests that name no
   * repository use the installation of `repository`; null: such requests must be sent as the App itself or as a given
   * installation.
   */
  | { type: "app"; appId: string; privateKey: string; repository: RepositoryName | null };

interface Names {
  owner: string;
  repo: string;
}

/** Chooses the signed-in client for a request. Failures are Octokit's errors, which the wire converts. */
export interface SignIn {
  /**
   * Sends a request with the client for the repository that it names. If GitHub refuses the known installation, looks the
   * installation up again and repeats the request once: an App that was reinstalled has a new installation.
   */
  asOwner<Answer>(names: Names | null, ask: (octokit: Octokit) => Promise<Answer>): Promise<Answer>;
  /** The client of the App itself; null: the credential is not an App. */
  readonly app: Octokit | null;
  /** Returns a client that signs in as the installation with this id. Throws if no App is configured. */
  forInstallation(installationId: number): Octokit;
  /** Returns the token that git presents for a repository. */
  token(repo: RepositoryName): Promise<string>;
}

/** The error for a repository that no installation of the App covers. */
export class AppNotInstalled extends Error {
  constructor(repo: string) {
    super(`the GitHub App is not installed on ${repo}`);
    this.name = "AppNotInstalled";
  }
}

/** Returns a client. `account`: the unit for which GitHub counts and paces requests: each installation, or the token's owner. */
export type MakeOctokit = (auth: object, account: string) => Octokit;

/** Returns the sign-in of a credential: with a token, or as a GitHub App with short-lived installation tokens. */
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
    // A failure is not cached: the App may be installed a moment later.
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

/** Returns whether GitHub refused the installation's token, or to create one for it. In both cases the request had no effect. */
function isInstallationRefused(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.status === 401 || (error.status === 404 && error.request.url.endsWith("/access_tokens"));
}
