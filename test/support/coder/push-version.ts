import { randomUUID } from "node:crypto";
import type { CoderStandIn } from "./coder-stand-in.ts";
import type { ParameterSpec } from "./stand-in-model.ts";

/**
 * Pushes a version of the only template, with these parameters, and makes it the active one. Existing Coder workspaces keep the
 * version that built them.
 */
export function pushVersion({ state }: CoderStandIn, parameters: ParameterSpec[]): void {
  const [template] = state.templates;
  if (template === undefined) throw new Error("the stand-in has no template");
  const earlier = { ...template };
  for (const workspace of state.workspaces) if (workspace.template === template) workspace.template = earlier;
  Object.assign(template, { versionId: randomUUID(), spec: { ...template.spec, parameters } });
}
