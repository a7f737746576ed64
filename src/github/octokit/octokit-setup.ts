import { z } from "zod";
import type { RepositoryName } from "../port.ts";
import type { AccessExaminer, CredentialFacts, LabelRegistry, NewLabel, Permission } from "../setup-port.ts";
import { getRequest, readOne, readPages } from "./listing.ts";
import { nameOf } from "./routes.ts";
import { serverTimeMs } from "./server-time.ts";
import type { GithubCredential } from "./sign-in.ts";
import { goneReason, type Wire, type WireAnswer, type WireRequest } from "./wire.ts";
import { repositoryMoved, statusOf } from "./wire-errors.ts";
import { labelSchema, repositorySchema, toRepository, userSchema } from "./wire-schemas.ts";

const LABELS = "/repos/{owner}/{repo}/labels";

/** Returns the port that reads and creates labels of a repository; for `init` only. */
export function createLabelRegistry(wire: Wire): LabelRegistry {
  const names = async (repo: RepositoryName, signal: AbortSignal): Promise<string[]> => {
    const request = getRequest(`list the labels of ${repo}`, LABELS, nameOf(repo), signal);
    const parse = (answer: WireAnswer) => wire.parse(request, answer, z.array(labelSchema));
    const labels = await readPages(wire, request, parse, (status, error) => {
      throw goneReason(status) === "transferred" ? repositoryMoved(request.attempted, "") : error;
    });
    return labels.map(({ name }) => name);
  };
  return {
    names,
    create: async (repo, label, signal) => {
      const request = labelRequest(repo, `create the label ${label.name} in ${repo}`, label, signal);
      try {
        const answer = await wire.send(request);
        if (goneReason(answer.status) !== null) throw repositoryMoved(request.attempted, "");
        return "created";
      } catch (error) {
        // Status 422 can also mean a name that GitHub does not accept. Only the listing shows which.
        const wanted = label.name.toLowerCase();
        if (statusOf(error) !== 422) throw error;
        if ((await names(repo, signal)).some((name) => name.toLowerCase() === wanted)) return "exists";
        throw error;
      }
    },
  };
}

/** Returns the port that reads what a credential may do in a repository; for `doctor` and `init`. */
export function createAccessExaminer(wire: Wire, credential: GithubCredential): AccessExaminer {
  return {
    credential: async (signal) => {
      const login = await wire.appLogin(signal);
      const request =
        login === null
          ? getRequest("ask whose token it is", "/user", {}, signal)
          : getRequest("ask for the App's account", "/users/{username}", { username: login }, signal);
      const answer = await wire.send(request).catch((error: unknown) => {
        // An installation token may not read its own account; its permissions are read from the repository.
        if (statusOf(error) === 403 && kindOf(credential, null) === "installation") return null;
        throw error;
      });
      return credentialFacts(credential, answer, answer && wire.parse(request, answer, userSchema).login);
    },
    repository: async (repo, signal) => {
      const request = getRequest(
        `read the repository ${repo}`,
        "/repos/{owner}/{repo}",
        nameOf(repo),
        signal,
      );
      const { isPrivate, isArchived, hasIssues, canTriage } = toRepository(
        repo,
        await readOne(wire, request, repositorySchema),
      );
      const [mayReadContents, mayWriteIssues] = await Promise.all([
        probeContents(wire, repo, signal),
        probeIssues(wire, repo, signal),
      ]);
      return {
        isPrivate,
        isArchived,
        hasIssues,
        canTriage,
        mayReadContents,
        mayWriteIssues,
      };
    },
  };
}

function labelRequest(
  repo: RepositoryName,
  attempted: string,
  label: Partial<NewLabel>,
  signal: AbortSignal,
): WireRequest {
  const parameters = { ...nameOf(repo), ...label };
  return { attempted, route: `POST ${LABELS}`, parameters, signal, isRepeatable: true };
}

/** Returns whether contents are readable. Status 409 means an empty repository, which is readable, too. */
function probeContents(wire: Wire, repo: RepositoryName, signal: AbortSignal): Promise<Permission> {
  const path = "/repos/{owner}/{repo}/commits";
  const request = getRequest(`read the commits of ${repo}`, path, { ...nameOf(repo), per_page: 1 }, signal);
  return permissionFrom(wire, request, [200, 409]);
}

/** Returns whether issues may be written. Without this permission, GitHub answers 403 or 404 before it checks the empty name. */
function probeIssues(wire: Wire, repo: RepositoryName, signal: AbortSignal): Promise<Permission> {
  return permissionFrom(
    wire,
    labelRequest(repo, `ask whether issues of ${repo} may be written`, { name: "" }, signal),
    [422],
  );
}

async function permissionFrom(
  wire: Wire,
  request: WireRequest,
  granting: readonly number[],
): Promise<Permission> {
  const status = await wire.send(request).then(
    (answer) => answer.status,
    (error: unknown) => {
      request.signal.throwIfAborted();
      return statusOf(error);
    },
  );
  if (status !== null && granting.includes(status)) return "granted";
  return status === 403 || status === 404 ? "refused" : "unknown";
}

function credentialFacts(
  credential: GithubCredential,
  answer: WireAnswer | null,
  login: string | null,
): CredentialFacts {
  const header = (name: string): string | null => {
    const value = answer?.headers[name];
    return value === undefined ? null : String(value);
  };
  const kind = kindOf(credential, header("x-oauth-scopes"));
  return {
    kind,
    login: login ?? "an installation",
    scopes: kind === "classic" ? scopesIn(header("x-oauth-scopes")) : null,
    expiresAt: header("github-authentication-token-expiration"),
    serverTimeMs: serverTimeMs(answer?.headers ?? {}),
  };
}

/**
 * Returns the kind of a credential by GitHub's documented prefixes. Older tokens have no prefix, but GitHub reports their scopes.
 */
function kindOf(credential: GithubCredential, scopes: string | null): CredentialFacts["kind"] {
  if (credential.type === "app") return "app";
  const { token } = credential;
  if (token.startsWith("github_pat_")) return "fine-grained";
  if (token.startsWith("ghs_")) return "installation";
  return token.startsWith("ghp_") || scopes !== null ? "classic" : "unknown";
}

function scopesIn(header: string | null): string[] | null {
  if (header === null) return null;
  return header
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
}
