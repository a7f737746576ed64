import { readFile } from "node:fs/promises";
import { messageOf, OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { knownSettings } from "./choose-settings.ts";
import { type Config, configSchema } from "./config-schema.ts";
import type { RunEnvironment } from "./environment.ts";
import { defaultMachineConfig } from "../home/index.ts";
import { machineKeysIn } from "./machine-keys.ts";
import { nearestKey } from "../notation/index.ts";
import { expectation, problemText } from "./problem-text.ts";
import { putAt, valueAt } from "./setting.ts";
import { parseYaml, type YamlText } from "./yaml-text.ts";

export const DEFAULT_CONFIG_FILE = ".github/afk-triage.yml";

/** The merged content of the config files. */
export interface ConfigFile {
  /** The repository's file, or the one that `--config` names; null: the default one, which is not there. */
  path: string | null;
  /** This machine's own file; null: it is not there. */
  machinePath: string | null;
  config: Config;
  /** `file:line` of the file that set a key; null for a key that neither has. */
  placeOf(key: string): string | null;
}

interface ReadFile {
  /** The file's path; null if no file was named and the default file does not exist. */
  path: string | null;
  config: Config;
  /** The line, counted from 1; null for a key that the file does not have. */
  lineOf(key: string): number | null;
}

/**
 * Reads this machine's own file, then the repository's or the one that `--config` names; the values of the second file take
 * precedence. Both may be absent, except a named one. A file that was not named comes with the checkout: it may not set what
 * belongs to the machine (S22). Fails with CONFIG_INVALID.
 */
export async function readConfigFile(
  file: string | null,
  { machineConfig }: Pick<RunEnvironment, "machineConfig">,
): Promise<ConfigFile> {
  const machine = await readOne(
    machineConfig,
    machineConfig === defaultMachineConfig() ? null : "AFK_TRIAGE_CONFIG",
  );
  const found = await readOne(file ?? DEFAULT_CONFIG_FILE, file === null ? null : "--config");
  if (file === null) refuseMachineKeys(found, machineConfig);
  return {
    path: found.path,
    machinePath: machine.path,
    config: merged(machine.config, found.config),
    placeOf: (key) => placeIn(found, key) ?? placeIn(machine, key),
  };
}

function placeIn(file: ReadFile, key: string): string | null {
  const { path, config } = file;
  if (path === null || valueAt(config, key.split(".")) === undefined) return null;
  const line = file.lineOf(key);
  return line === null ? path : `${path}:${line}`;
}

/** Returns the validated values of the config files. `file`: null for the default paths. Rejects with CONFIG_INVALID. */
export async function readConfig(
  file: string | null,
  environment: Pick<RunEnvironment, "machineConfig">,
): Promise<Config> {
  return (await readConfigFile(file, environment)).config;
}

/** `namedBy`: the option or variable that named the file; null: nothing named it, so it may be absent. */
async function readOne(path: string, namedBy: string | null): Promise<ReadFile> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const isAbsent = namedBy === null && (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isAbsent) return { path: null, config: {}, lineOf: () => null };
    throw invalid(path, messageOf(error), `Name an existing file with ${namedBy ?? "--config"}.`, error);
  }
  const yaml = yamlOf(path, text);
  const config = configOf(path, yaml);
  return { path, config, lineOf: (key) => yaml.lineOf(key.split(".")) };
}

function refuseMachineKeys(file: ReadFile, machineConfig: string): void {
  const { path, config } = file;
  const refused = machineKeysIn(config);
  if (refused.length === 0 || path === null) return;
  const problems = refused.map(({ key, why }) => ({
    line: file.lineOf(key),
    text: `${key} belongs to this machine, not to a repository: ${why}`,
  }));
  throw invalidAt(
    path,
    problems,
    `Remove these keys here. If you trust them, set them in ${machineConfig}, or name this file with --config.`,
  );
}

/** Setting by setting: one that `over` has wins, and a map counts as one setting. */
function merged(under: Config, over: Config): Config {
  const whole: Record<string, unknown> = {};
  for (const { path } of knownSettings) {
    const ofOver = valueAt(over, path);
    const value = ofOver === undefined ? valueAt(under, path) : ofOver;
    if (value !== undefined) putAt(whole, path, value);
  }
  return whole;
}

function yamlOf(path: string, text: string): YamlText {
  const result = parseYaml(text);
  if (result.type === "parsed") return result.yaml;
  const where = result.line === null ? "" : `:${result.line}`;
  throw invalid(`${path}${where}`, `it is not valid YAML: ${result.problem}`, "Correct the file.");
}

function configOf(path: string, yaml: YamlText): Config {
  const result = configSchema.safeParse(yaml.value ?? {}, { error: expectation });
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, yaml));
  throw invalidAt(path, problems, "Correct these keys and run again.");
}

interface Problem {
  line: number | null;
  text: string;
}

function problemsOf(issue: z.core.$ZodIssue, yaml: YamlText): Problem[] {
  const path = issue.path.join(".");
  if (issue.code !== "unrecognized_keys")
    return [
      {
        line: yaml.lineOf(issue.path),
        text: `${path || "the file"}: ${problemText(issue, arrivedAt(issue.path, yaml))}`,
      },
    ];
  return issue.keys.map((key) => ({
    line: yaml.lineOf([...issue.path, key]),
    text: describeUnknownKey(key, issue.path),
  }));
}

/** Returns the value as it is written in the file, because a schema may have transformed it. */
function arrivedAt(path: readonly PropertyKey[], { value }: YamlText): unknown {
  return valueAt(value, path.map(String));
}

function describeUnknownKey(key: string, path: readonly PropertyKey[]): string {
  const known = keysAt(configSchema, path);
  const nearest = nearestKey(key, known);
  const where = path.length === 0 ? "" : ` in ${path.join(".")}`;
  const hint = nearest === null ? `known keys: ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return `unknown key ${JSON.stringify(key)}${where} (${hint})`;
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

/** Lists each problem with its line, in the order of the file; the line of the first problem follows the file's name. */
function invalidAt(path: string, problems: readonly Problem[], remedy: string): OperationalError {
  const [first = null, ...others] = problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const where = first?.line === null || first === null ? path : `${path}:${first.line}`;
  const rest = others.map(({ line, text }) => (line === null ? text : `line ${line}: ${text}`));
  return invalid(where, [first?.text ?? "", ...rest].join("; "), remedy);
}

/** `where` is the file, with the line if it is known. */
function invalid(where: string, seen: string, remedy: string, cause?: unknown): OperationalError {
  return new OperationalError({
    code: "CONFIG_INVALID",
    message: `read the config file ${where}: ${seen}`,
    remedy,
    cause,
  });
}
