import { z } from "zod";
import type { RepositoryName } from "../../github/index.ts";
import { currentOutcomeSchema } from "../outcome.ts";
import { fillTemplate, readTemplate } from "../templates/index.ts";
import type { TriageFiles } from "../triage-agent.ts";

export interface PromptRequest {
  files: TriageFiles;
  repo: RepositoryName;
  number: number;
  /** The one the issue file is delimited with. */
  nonce: string;
}

/** What the Triage Agent is told. It names files; no word of the issue is ever part of it (S3). */
export function renderPrompt({ files, repo, number, nonce }: PromptRequest): string {
  return fillTemplate(readTemplate("prompt.md"), {
    number: String(number),
    repo,
    nonce,
    checkout: files.checkout,
    issue: files.issue,
    skill: `${files.skills}/triage/SKILL.md`,
    outcome: files.outcome,
    schema: schemaText(),
  });
}

let schema: string | null = null;

/** The same for every issue, and slow to make. */
function schemaText(): string {
  schema ??= JSON.stringify(z.toJSONSchema(currentOutcomeSchema), null, 2);
  return schema;
}
