import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ids } from "agent-tty/kit";
import type { DuplicateCandidate } from "../../../duplicates/index.ts";
import { buildIssueFile } from "../../build-issue-file.ts";
import { renderPrompt } from "../../render-prompt.ts";
import { packageFolder } from "../../package-folder.ts";
import type { ControlFile, TriageFiles } from "../../triage-agent.ts";
import type { AssessedIssue } from "../candidate.ts";

/** Returns the paths of one Triage Run's files inside its Coder workspace. */
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

/**
 * Returns the files of the control directory: the issue as data, the prompt that names the issue's file, and the skills. The
 * prompt contains no text of the issue (S3).
 */
export async function triageFileContents(
  fresh: AssessedIssue,
  files: TriageFiles,
  offered: readonly DuplicateCandidate[],
  ids: Ids,
): Promise<ControlFile[]> {
  const { ref } = fresh.issue;
  const nonce = ids.hex(8);
  const issueFile = await buildIssueFile({ ...fresh, offered }, nonce);
  const prompt = renderPrompt({
    files,
    repo: ref.repo,
    number: ref.number,
    nonce,
    candidates: offered.map(({ number }) => number),
  });
  return [
    { path: files.issue, text: JSON.stringify(issueFile, null, 2) },
    { path: files.prompt, text: prompt },
    ...skillFiles(files),
  ];
}

/** Returns the triage skill with the pages it refers to. */
function skillFiles({ skills }: TriageFiles): ControlFile[] {
  skillPages ??= readSkill();
  return skillPages.map(({ name, text }) => ({ path: `${skills}/triage/${name}`, text }));
}

interface SkillPage {
  name: string;
  text: string;
}

/** Read from the package once per process; the same for every issue. */
let skillPages: readonly SkillPage[] | null = null;

function readSkill(): SkillPage[] {
  const folder = join(packageFolder("skills"), "triage");
  return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}
