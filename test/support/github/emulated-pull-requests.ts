import type { IssueRef, RepositoryName } from "../../../src/github/index.ts";
import { type PullRequestVerbs, worldPeople } from "./github-world.ts";
import type { RecordedRequest, UpstreamAnswer } from "./recording-proxy.ts";

type As = (login: string, method: string, path: string, body?: object) => Promise<unknown>;

interface Pull {
  number: number;
  body: string | null;
  head: { sha: string };
  [field: string]: unknown;
}

/**
 * Completes the emulated GitHub's pull requests. It has them, their reviews and their check runs; this function adds to its
 * answers what it lacks: cross-references in an issue's timeline, combined statuses, and merge conflicts.
 */
export function emulatedPullRequests(
  repo: RepositoryName,
  as: As,
): {
  verbs: PullRequestVerbs;
  onAnswer: (request: Omit<RecordedRequest, "status">, answer: UpstreamAnswer) => Promise<UpstreamAnswer>;
} {
  const [owner = ""] = repo.split("/");
  const root = `/repos/${repo}`;
  const statuses = new Map<string, string>();
  const conflicts = new Set<number>();
  let branches = 0;
  const pullOf = async ({ number }: IssueRef): Promise<Pull> =>
    (await as(owner, "GET", `${root}/pulls/${number}`)) as Pull;

  const references = async (issue: number): Promise<object[]> => {
    const pulls = (await as(owner, "GET", `${root}/pulls?state=all&per_page=100`)) as Pull[];
    return pulls
      .filter(({ body }) => new RegExp(`#${issue}\\b`).test(body ?? ""))
      .map((pull) => ({
        event: "cross-referenced",
        actor: pull["user"],
        created_at: pull["created_at"],
        source: {
          type: "issue",
          issue: {
            ...pull,
            pull_request: { url: pull["url"], merged_at: pull["merged_at"] },
            repository: { full_name: repo },
          },
        },
      }));
  };

  const onAnswer: ReturnType<typeof emulatedPullRequests>["onAnswer"] = async (request, answer) => {
    if (request.method !== "GET") return answer;
    const [path = ""] = request.path.split("?");
    const [kind, id] = kindOf(path, root);
    if (kind === "timeline" && answer.status === 200) {
      const events = [...(JSON.parse(answer.body) as object[]), ...(await references(Number(id)))];
      return { ...answer, body: JSON.stringify(events) };
    }
    if (kind === "pull" && answer.status === 200 && conflicts.has(Number(id))) {
      const pull = JSON.parse(answer.body) as Pull;
      return { ...answer, body: JSON.stringify({ ...pull, mergeable: false, mergeable_state: "dirty" }) };
    }
    if (kind !== "status") return answer;
    const state = statuses.get(id ?? "");
    const body = JSON.stringify({ state: state ?? "pending", total_count: state === undefined ? 0 : 1 });
    return { status: 200, headers: { "content-type": "application/json" }, body };
  };

  return {
    onAnswer,
    verbs: {
      openPullRequest: async ({ body, isDraft = false }) => {
        const head = await branchWithCommit(`change-${(branches += 1)}`, root, owner, as);
        const by = worldPeople.maintainer;
        const request = { title: "a change", body, head, base: "main", draft: isDraft };
        const { number } = (await as(by, "POST", `${root}/pulls`, request)) as Pull;
        return { repo, number };
      },
      review: async ({ number }, by, verdict) => {
        const event = verdict.toUpperCase().replace("-", "_");
        await as(by, "POST", `${root}/pulls/${number}/reviews`, { event, body: "a review" });
      },
      check: async (pull, name, result) => {
        const { head } = await pullOf(pull);
        const end = { status: "completed", conclusion: result === "passing" ? "success" : "failure" };
        const state = result === "pending" ? { status: "in_progress" } : end;
        await as(owner, "POST", `${root}/check-runs`, { name, head_sha: head.sha, ...state });
      },
      setStatus: async (pull, result) => {
        const { head } = await pullOf(pull);
        statuses.set(head.sha, { pending: "pending", passing: "success", failing: "failure" }[result]);
      },
      setConflict: async ({ number }, hasConflict) => {
        if (hasConflict) conflicts.add(number);
        else conflicts.delete(number);
      },
      merge: async ({ number }) => void (await as(owner, "PUT", `${root}/pulls/${number}/merge`, {})),
      closePullRequest: async ({ number }) => {
        await as(owner, "PATCH", `${root}/pulls/${number}`, { state: "closed" });
      },
    },
  };
}

function kindOf(path: string, root: string): ["timeline" | "pull" | "status" | "other", string?] {
  const timeline = /^\/issues\/(\d+)\/timeline$/.exec(path.slice(root.length));
  if (timeline !== null) return ["timeline", timeline[1] ?? ""];
  const pull = /^\/pulls\/(\d+)$/.exec(path.slice(root.length));
  if (pull !== null) return ["pull", pull[1] ?? ""];
  const status = /^\/commits\/(\w+)\/status$/.exec(path.slice(root.length));
  return status === null ? ["other"] : ["status", status[1] ?? ""];
}

/** Creates a new branch with a new commit, because otherwise all pull requests would share their checks. */
async function branchWithCommit(branch: string, root: string, by: string, as: As): Promise<string> {
  const main = (await as(by, "GET", `${root}/git/ref/heads/main`)) as { object: { sha: string } };
  const parent = main.object.sha;
  const { tree } = (await as(by, "GET", `${root}/git/commits/${parent}`)) as { tree: { sha: string } };
  const commit = { message: branch, tree: tree.sha, parents: [parent] };
  const { sha } = (await as(by, "POST", `${root}/git/commits`, commit)) as { sha: string };
  await as(by, "POST", `${root}/git/refs`, { ref: `refs/heads/${branch}`, sha });
  return branch;
}
