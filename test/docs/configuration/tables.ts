import { z } from "zod";
import { type ChosenSetting, machineKeysIn } from "../../../src/config/index.ts";

interface JsonSchema {
  type?: string;
  enum?: string[];
  format?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
}

/**
 * Returns a table with one row per key: the values it takes, its default, what else sets it, and what it means. Throws if a key
 * has no description.
 */
export function keyTable(schema: z.ZodType, chosen: readonly ChosenSetting[]): string {
  const rows = keysOf(z.toJSONSchema(schema, { io: "input" }) as JsonSchema).map(([key, property]) => {
    const setting = chosen.find((each) => each.key === key);
    const others = [setting?.flag, setting?.variable].flatMap((name) => (name ? [`\`${name}\``] : []));
    const fallback = setting === undefined ? "" : `\`${JSON.stringify(setting.value).replaceAll('"', "")}\``;
    return [
      `\`${key}\`${isOfMachine(key) ? ` ${MACHINE}` : ""}`,
      takes(property),
      fallback,
      others.join(", "),
      described(key, property),
    ];
  });
  return table(["key", "takes", "default", "also set by", "meaning"], rows);
}

/** Marks a key that the repository's own file may not set, or may set only to some values. */
export const MACHINE = "†";

function isOfMachine(key: string): boolean {
  const path = key.split(".");
  return machineKeysIn(path.reduceRight<unknown>((below, name) => ({ [name]: below }), "local")).length > 0;
}

export function environmentTable(schema: z.ZodObject): string {
  const rows = Object.entries(schema.shape).map(([name, variable]) => {
    const { description = "", isSecret } = (variable as z.ZodType).meta() ?? {};
    if (description === "") throw new Error(`${name} has no description`);
    return [`\`${name}\`${isSecret === true ? " 🔑" : ""}`, description];
  });
  return table(["variable", "meaning"], rows);
}

/** Returns the leaves of the schema; a map whose keys the user chooses is a leaf. */
function keysOf(schema: JsonSchema, path: readonly string[] = []): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, JsonSchema][] => {
    const here = [...path, name];
    return property.properties === undefined ? [[here.join("."), property]] : keysOf(property, here);
  });
}

function described(key: string, { description = "" }: JsonSchema): string {
  if (description === "") throw new Error(`the key ${key} has no description in src/config/config-schema.ts`);
  return description;
}

function takes({ anyOf = [], ...schema }: JsonSchema): string {
  if (anyOf.length > 0) return anyOf.map(takes).join(" or ");
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.format === "duration" || schema.format === "size") return schema.format;
  if (schema.type === "array") return `list of ${takes(schema.items ?? {})}s`;
  if (schema.type === "object") return "map of texts";
  if (schema.type === "integer" || schema.type === "number") return rangeOf(schema);
  return schema.type === "string" ? (schema.format === "uri" ? "URL" : "text") : (schema.type ?? "");
}

function rangeOf({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const kind = type === "integer" ? "whole number" : "number";
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) return `${kind}, ${minimum} to ${maximum}`;
  return exclusiveMinimum === undefined ? kind : `${kind} above ${exclusiveMinimum}`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", String.raw`\|`)));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ""))));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell))).join(" | ")} |`;
  const [head = [], ...body] = cells;
  const rule = `| ${widths.map((count) => "-".repeat(count)).join(" | ")} |`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

/** Returns the width as the formatter counts it: the key symbol is two UTF-16 units and two columns wide. */
function width(text: string): number {
  return text.length;
}
