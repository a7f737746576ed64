import { join } from "node:path";
import { writeFileAtomic } from "agent-tty/kit";
import { checkoutRefusal } from "../checkout-refusal.ts";
import type { VerificationEvidence } from "../evidence/index.ts";
import { commonDirectory, fetchRemote, readCheckout, type RemoteFacts } from "../git/index.ts";
import { holdRepository, repositoryDirectory } from "../release-record.ts";
import { releaseError } from "../release-error.ts";
import { type AppliedPrep, applyPrep } from "./apply-prep.ts";
import { planPrep, type PrepPlan } from "./plan-prep.ts";
import type { PrepOptions, PrepPorts } from "./prep-ports.ts";
import { pullRequestBody } from "./pull-request-body.ts";
import { readPrepFacts } from "./read-prep-facts.ts";

/** The document that `release prep` prints to stdout. */
export interface PrepSummary {
  schema: "afk-triage/release-prep@1";
  /** `planned`: a dry run. */
  status: "planned" | "prepared" | "verification-failed";
  version: string;
  previousVersion: string | null;
  /** The reasons for this version, as sentences. */
  reasons: string[];
  base: { branch: string; commit: string };
  branch: {
    name: string;
    commit: string | null;
    action: AppliedPrep["branchAction"] | null;
    pushed: boolean;
  };
  files: string[];
  /** The section of CHANGELOG.md, without its heading. */
  changelog: string;
  verification: (VerificationEvidence & { reused: boolean }) | null;
  pullRequest: { title: string; base: string; head: string; bodyFile: string } | null;
  /** Commands that continue the release. */
  next: string[];
}

/** Plans the next version and prepares its branch, before any tag exists (A23). Rejects with the codes of ReleaseErrorCode. */
export async function prepareRelease(options: PrepOptions, ports: PrepPorts): Promise<PrepSummary> {
  const directory = repositoryDirectory(ports.releasesDirectory, await commonDirectory(ports.git));
  using _lock = await holdRepository(directory, ports.takeLock);
  await ports.observe("locked");
  const remote = await fetchRemote(ports.git, options.remote);
  await ports.observe("fetched");
  const plan = await readPlan(remote, options, ports);
  await ports.observe("planned");
  if (options.dryRun) return summaryOf(plan, options, null);
  const applied = await applyPrep(plan, remote, options, { ...ports, directory });
  const bodyFile = join(applied.record.directory, "pull-request.md");
  await writeFileAtomic(bodyFile, pullRequestBody(plan, applied), ports.ids.hex(8));
  const summary = summaryOf(plan, options, { ...applied, bodyFile });
  const summaryFile = join(applied.record.directory, "prep.json");
  await writeFileAtomic(summaryFile, `${JSON.stringify(summary, null, 2)}\n`, ports.ids.hex(8));
  await ports.observe("reported");
  return summary;
}

async function readPlan(remote: RemoteFacts, options: PrepOptions, ports: PrepPorts): Promise<PrepPlan> {
  const refusal = checkoutRefusal(await readCheckout(ports.git), remote);
  if (refusal !== null) throw releaseError(refusal);
  const date = new Date(ports.clock.nowMs()).toISOString().slice(0, 10);
  const facts = await readPrepFacts(ports.git, remote, options.versionFiles);
  const plan = planPrep(facts, { wish: options.wish, versionFiles: options.versionFiles, date });
  if (plan.type === "refused") throw releaseError(plan);
  return plan;
}

function summaryOf(
  plan: PrepPlan,
  options: PrepOptions,
  applied: (AppliedPrep & { bodyFile: string }) | null,
): PrepSummary {
  const { version, previousVersion, reasons, base, branch, files, section } = plan;
  const isFailed = applied?.evidence.status === "failed";
  const title = `Release v${version}`;
  const pullRequest =
    applied === null || isFailed
      ? null
      : { title, base: base.branch, head: branch, bodyFile: applied.bodyFile };
  const done = isFailed ? "verification-failed" : "prepared";
  return {
    schema: "afk-triage/release-prep@1",
    status: applied === null ? "planned" : done,
    version,
    previousVersion,
    reasons,
    base,
    branch: {
      name: branch,
      commit: applied?.commit ?? null,
      action: applied?.branchAction ?? null,
      pushed: applied?.isPushed ?? false,
    },
    files: files.map(({ path }) => path),
    changelog: section,
    verification: applied === null ? null : { ...applied.evidence, reused: applied.isEvidenceReused },
    pullRequest,
    next: pullRequest === null ? [] : nextCommands(plan, pullRequest, options),
  };
}

function nextCommands(
  { base, branch }: PrepPlan,
  { bodyFile, title }: NonNullable<PrepSummary["pullRequest"]>,
  { push, remote }: PrepOptions,
): string[] {
  return [
    ...(push ? [] : [`git diff ${base.branch}...${branch}`, `git push ${remote} ${branch}`]),
    `gh pr create --base ${base.branch} --head ${branch} --title "${title}" --body-file '${bodyFile}'`,
    "afk-triage release finalize --push",
  ];
}
