import { readFile } from "node:fs/promises";
import { messageOf, OperationalError } from "agent-tty/kit";
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import { type Config, configSchema } from "./config-schema.ts";
import { nearestKey } from "./nearest-key.ts";

export const DEFAULT_CONFIG_FILE = ".github/afk-triage.yml";

/** Reads the config file; the default one may be absent, one named by `--config` may not. Fails with CONFIG_INVALID. */
export async function readConfig(file: string | null): Promise<Config> {
  const path = file ?? DEFAULT_CONFIG_FILE;
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (file === null && (error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw invalid(path, messageOf(error), "Name an existing file with --config.", error);
  }
  return parseConfig(path, text);
}

export function parseConfig(path: string, text: string): Config {
  const result = configSchema.safeParse(parseYaml(path, text) ?? {});
  if (result.success) return result.data;
  throw invalid(path, result.error.issues.map(describeIssue).join("; "), "Correct these keys and run again.");
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 20 });
  } catch (error) {
    const where = error instanceof YAMLParseError && error.linePos ? ` (line ${error.linePos[0].line})` : "";
    throw invalid(
      path,
      `it is no YAML${where}: ${messageOf(error).split("\n")[0]}`,
      "Correct the file.",
      error,
    );
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join(".");
  if (issue.code !== "unrecognized_keys") return `${path || "the file"}: ${issue.message}`;
  return issue.keys.map((key) => describeUnknownKey(key, issue.path)).join("; ");
}

function describeUnknownKey(key: string, path: readonly PropertyKey[]): string {
  const known = keysAt(configSchema, path);
  const nearest = nearestKey(key, known);
  const where = path.length === 0 ? "" : ` in ${path.join(".")}`;
  const hint = nearest === null ? `known keys: ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return `unknown key "${key}"${where} (${hint})`;
}

function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: unknown = schema;
  for (const step of [...path, null]) {
    while (current instanceof z.ZodOptional || current instanceof z.ZodNullable) current = current.unwrap();
    if (!(current instanceof z.ZodObject)) return [];
    if (step === null) return Object.keys(current.shape);
    current = current.shape[String(step)];
  }
  return [];
}

function invalid(path: string, seen: string, remedy: string, cause?: unknown): OperationalError {
  return new OperationalError({
    code: "CONFIG_INVALID",
    message: `read the config file ${path}: ${seen}`,
    remedy,
    cause,
  });
}
