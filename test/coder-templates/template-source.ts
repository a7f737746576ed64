import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@cdktn/hcl2json";

export const CODER = join(import.meta.dirname, "..", "..", "coder");
export const TEMPLATES = ["docker", "kubernetes"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** Attributes of a block, and its nested blocks as lists. Expressions are strings in `${…}`. */
export type Body = { [name: string]: unknown };
type Labelled = Record<string, Body[]>;

export interface TerraformSource {
  terraform: Body[];
  variable: Labelled;
  data: Record<string, Labelled>;
  resource: Record<string, Labelled>;
  locals: Body[];
  provider: Labelled;
}

export function readTemplateText(template: TemplateName): string {
  return readFileSync(join(CODER, template, "main.tf"), "utf8");
}

/** Parses a template. Fails if HashiCorp's own parser cannot read it. */
export async function parseTerraform(text: string): Promise<TerraformSource> {
  return (await parse("main.tf", text)) as unknown as TerraformSource;
}

export function readTemplate(template: TemplateName): Promise<TerraformSource> {
  return parseTerraform(readTemplateText(template));
}

/** Returns the single body of `resource "<type>" "<name>"`. */
export function resource(source: TerraformSource, type: string, name: string): Body {
  const body = source.resource[type]?.[name]?.[0];
  if (body === undefined) throw new Error(`the template has no resource ${type}.${name}`);
  return body;
}

/** Returns a nested block that occurs exactly once. */
export function block(body: Body, ...path: readonly string[]): Body {
  return path.reduce((current, name) => {
    const [found, ...others] = (current[name] ?? []) as Body[];
    if (found === undefined || others.length > 0) throw new Error(`expected one block ${name}`);
    return found;
  }, body);
}

export interface TemplateParameter {
  name: string;
  defaultValue: string;
  mutable: boolean;
}

export async function parametersOf(template: TemplateName): Promise<TemplateParameter[]> {
  const declared = (await readTemplate(template)).data["coder_parameter"] ?? {};
  return Object.values(declared).map(([body]) => {
    const {
      name,
      default: defaultValue,
      mutable,
    } = body as { name: string; default: string; mutable: boolean };
    return { name, defaultValue, mutable };
  });
}
