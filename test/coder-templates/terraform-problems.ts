import { type BlockSchema, DATA_RESULTS, DATA_SCHEMAS, RESOURCE_SCHEMAS } from "./provider-schemas.ts";
import type { Body, TerraformSource } from "./template-source.ts";

/**
 * Returns the problems with names that `terraform validate` would find: attributes, blocks, and the references of expressions.
 */
export function terraformProblems(source: TerraformSource): string[] {
  const text = JSON.stringify(source);
  return [
    ...blockProblems(source.resource, RESOURCE_SCHEMAS),
    ...blockProblems(source.data, DATA_SCHEMAS),
    ...unused(source, text),
    ...referenceProblems(source, text),
  ];
}

type Blocks = TerraformSource["resource"];

function blockProblems(blocks: Blocks, schemas: Record<string, BlockSchema>): string[] {
  return Object.entries(blocks).flatMap(([type, named]) => {
    const schema = schemas[type];
    if (schema === undefined) return [`${type} is not in provider-schemas.ts`];
    return Object.entries(named).flatMap(([name, [body]]) =>
      bodyProblems(`${type}.${name}`, withoutMeta(body ?? {}), schema),
    );
  });
}

function withoutMeta({ count: _count, depends_on: _dependsOn, ...body }: Body): Body {
  return body;
}

function bodyProblems(where: string, body: Body, schema: BlockSchema): string[] {
  const { dynamic = {}, ...plain } = body;
  const generated = Object.entries(dynamic as Record<string, Body[]>).flatMap(([name, bodies]) =>
    bodies.map(({ content }) => [name, content] as const),
  );
  return [...Object.entries(plain), ...generated].flatMap(([name, value]) => {
    const known = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (known === undefined) return [`${where} has no ${name}`];
    if (known === true) return isBlock(value) ? [`${where}.${name} is an attribute, not a block`] : [];
    if (!isBlock(value)) return [`${where}.${name} is a block, not an attribute`];
    return value.flatMap((nested) => bodyProblems(`${where}.${name}`, nested, known));
  });
}

function isBlock(value: unknown): value is Body[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "object" && item !== null)
  );
}

function unused({ variable, locals }: TerraformSource, text: string): string[] {
  const names = [
    ...Object.keys(variable).map((name) => `var.${name}`),
    ...locals.flatMap((body) => Object.keys(body)).map((name) => `local.${name}`),
  ];
  return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${name} is not used`);
}

function referenceProblems({ variable, locals, data, resource }: TerraformSource, text: string): string[] {
  const found = (pattern: RegExp): string[][] =>
    [...text.matchAll(pattern)].map((match) => [...match].slice(1));
  const localNames = new Set(locals.flatMap((body) => Object.keys(body)));
  return [
    ...found(/\bvar\.(\w+)/g).flatMap(([name = ""]) =>
      name in variable ? [] : [`there is no variable ${name}`],
    ),
    ...found(/\blocal\.(\w+)/g).flatMap(([name = ""]) =>
      localNames.has(name) ? [] : [`there is no local ${name}`],
    ),
    ...found(/\bdata\.(\w+)\.(\w+)\.(\w+)/g).flatMap(([type = "", name = "", result = ""]) =>
      data[type]?.[name] !== undefined && DATA_RESULTS[type]?.includes(result) === true
        ? []
        : [`there is no data.${type}.${name}.${result}`],
    ),
    ...found(/(?<![.\w])((?:coder|docker|kubernetes)_\w+)\.(\w+)/g).flatMap(([type = "", name = ""]) =>
      resource[type]?.[name] === undefined ? [`there is no ${type}.${name}`] : [],
    ),
  ];
}
