import { z } from "zod";
import type { RepositoryName } from "../github/index.ts";
import { currentOutcomeSchema } from "./outcome.ts";
import { fillTemplate } from "./template.ts";
import { readTemplate } from "./package-folder.ts";
import type { TriageFiles } from "./triage-agent.ts";

export interface PromptRequest {
  files: TriageFiles;
  repo: RepositoryName;
  number: number;
  /** The nonce of the issue file's `begin` and `end`. */
  nonce: string;
  /** The numbers that the outcome may name as `duplicateOf`; absent: none. */
  candidates?: readonly number[];
}

/** Returns the prompt of the Triage Agent. It names files and contains no text of the issue (S3). */
export function renderPrompt({ files, repo, number, nonce, candidates = [] }: PromptRequest): string {
  return fillTemplate(readTemplate("prompt.md"), {
    number: String(number),
    repo,
    nonce,
    checkout: files.checkout,
    issue: files.issue,
    skill: `${files.skills}/triage/SKILL.md`,
    outcome: files.outcome,
    schema: schemaText(candidates),
  });
}

interface OutcomeSchema {
  properties: Record<string, unknown>;
}

let schema: OutcomeSchema | null = null;

/**
 * Returns the JSON schema of the outcome. It is slow to build, so it is built once. Only the allowed values of `duplicateOf` (D2)
 * differ between issues.
 */
function schemaText(candidates: readonly number[]): string {
  schema ??= z.toJSONSchema(currentOutcomeSchema) as OutcomeSchema;
  const duplicateOf = { enum: [...candidates, null] };
  return JSON.stringify({ ...schema, properties: { ...schema.properties, duplicateOf } }, null, 2);
}
