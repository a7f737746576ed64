import {
  type CredentialFacts,
  type RepositoryAccess,
  type RepositoryName,
  whyClosed,
} from "../github/index.ts";
import { type DoctorCheck, failed, ok, warn } from "./doctor-check.ts";

const EXPIRES_SOON_MS = 7 * 24 * 3_600_000;

const KINDS: Record<CredentialFacts["kind"], string> = {
  app: "a GitHub App",
  classic: "a classic token",
  "fine-grained": "a fine-grained token",
  installation: "an installation token",
  unknown: "a token",
};

/**
 * Returns the check of the account and the kind of the credential: a warning when it expires within EXPIRES_SOON_MS. `nowMs` is an
 * epoch time.
 */
export function judgeCredential(facts: CredentialFacts, nowMs: number): DoctorCheck {
  const who = `${facts.login}, by ${KINDS[facts.kind]}`;
  const endsMs = Date.parse(facts.expiresAt ?? "");
  if (Number.isNaN(endsMs) || endsMs - nowMs > EXPIRES_SOON_MS) return ok("github-credential", who);
  return warn(
    "github-credential",
    `${who} that expires at ${facts.expiresAt}`,
    "Create a new token in GitHub's developer settings and set GITHUB_TOKEN to it.",
  );
}

/** Returns the check of a repository. It fails for an archived repository and for one whose issues are turned off. */
export function judgeRepository(repo: RepositoryName, access: RepositoryAccess): DoctorCheck {
  const closed = whyClosed(repo, access);
  if (closed !== null) return failed("repository", closed.seen, closed.remedy);
  return ok("repository", `${repo} exists, ${access.isPrivate ? "private" : "public"}, with issues`);
}

/** Returns whether the credential may read contents and write issues, as triage needs it, as a check. */
export function judgePermissions(
  repo: RepositoryName,
  credential: CredentialFacts,
  access: RepositoryAccess,
): DoctorCheck {
  const name = "github-permissions";
  const scope = access.isPrivate ? "repo" : "public_repo";
  const { scopes } = credential;
  if (scopes !== null && !scopes.includes("repo") && !scopes.includes(scope))
    return failed(
      name,
      `${repo}: the token has ${scopes.length === 0 ? "no scope" : `the scopes ${scopes.join(", ")}`}, and needs ${scope}`,
      `Give the token the scope ${scope} in GitHub's developer settings (of gh: gh auth refresh --scopes ${scope}).`,
    );
  if (access.canTriage === false)
    return failed(
      name,
      `${repo}: ${credential.login} may not label or close issues`,
      `Give ${credential.login} the role Triage or a higher one: Settings, Collaborators of ${repo}.`,
    );
  if (access.mayWriteIssues === "refused")
    return failed(name, `${repo}: issues may not be written`, grant(credential, "Issues: read and write"));
  if (access.mayReadContents === "refused")
    return failed(name, `${repo}: contents may not be read`, grant(credential, "Contents: read-only"));
  if (access.mayWriteIssues === "unknown")
    return warn(
      name,
      `${repo}: GitHub does not say whether issues may be written`,
      "Run `afk-triage doctor` again. If it still does not say, the first write will show it.",
    );
  return ok(name, `${repo}: contents may be read, issues written`);
}

function grant({ kind }: CredentialFacts, permission: string): string {
  switch (kind) {
    case "app":
      return `Give the App the permission "${permission}", and accept it where the App is installed.`;
    case "installation":
      return `In the workflow, add to \`permissions\`: ${permission.startsWith("Issues") ? "issues: write" : "contents: read"}`;
    case "classic":
    case "fine-grained":
    case "unknown":
      return `Give the token the repository permission "${permission}" in GitHub's developer settings.`;
  }
}

/** Returns the check of the labels, which fails if one of `wanted` is missing. Case is ignored, as on GitHub. */
export function judgeLabels(
  repo: RepositoryName,
  wanted: readonly string[],
  present: readonly string[],
): DoctorCheck {
  const known = new Set(present.map((label) => label.toLowerCase()));
  const missing = wanted.filter((label) => !known.has(label.toLowerCase()));
  if (missing.length === 0) return ok("labels", `${repo} has all ${wanted.length}`);
  return failed(
    "labels",
    `${repo} has no ${missing.join(", ")}`,
    `afk-triage init --repo ${repo} --only labels --yes`,
  );
}
