import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import { buildIssueFile } from "../issue-file/index.ts";
import { renderPrompt } from "../prompt/index.ts";
import { packageFolder } from "../templates/index.ts";
import type { TriageFiles } from "../triage-agent.ts";
import type { BatchContext } from "./batch-context.ts";
import { writeControlFile } from "./open-session.ts";
import type { AssessedIssue } from "./select-issues.ts";

/** Where everything of one Triage Run stands inside its Coder workspace. */
export function triageFiles(directory: string): TriageFiles {
  const control = `${directory}/control`;
  return {
    checkout: `${directory}/checkout`,
    control,
    issue: `${control}/issue.json`,
    prompt: `${control}/prompt.md`,
    skills: `${control}/skills`,
    outcome: `${control}/outcome.json`,
  };
}

/** The issue as data, the prompt that points at it, and the skills (S3: no text of the issue in the prompt). */
export async function writeTriageFiles(
  fresh: AssessedIssue,
  ready: ReadyWorkspace,
  files: TriageFiles,
  context: BatchContext,
  signal: AbortSignal,
): Promise<void> {
  const { ref } = fresh.issue;
  const nonce = context.ports.ids.hex(8);
  const issueFile = buildIssueFile(fresh, nonce);
  const prompt = renderPrompt({
    files,
    repo: ref.repo,
    number: ref.number,
    nonce,
  });
  const skill = await readFile(join(packageFolder("skills"), "triage/SKILL.md"), "utf8");
  await writeControlFile(ready, files.issue, JSON.stringify(issueFile, null, 2), signal);
  await writeControlFile(ready, files.prompt, prompt, signal);
  await writeControlFile(ready, `${files.skills}/triage/SKILL.md`, skill, signal);
}
