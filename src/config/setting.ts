import { z } from "zod";
import type { RunEnvironment } from "./environment.ts";
import type { RunFlags } from "./program-settings.ts";

/**
 * Who may set a key: only the machine that runs the parent, or also the repository that is triaged (S22). The machine's keys choose
 * where a credential goes, what runs beside the parent's credentials, or what the home keeps. A repository's file comes with a
 * checkout, and anybody may have written it.
 */
export type KeyOwner = "machine" | "repository";

/** All that is known of one setting but the type of its value. */
export interface SettingFacts<Value> {
  /** One sentence for docs/configuration.md. */
  meaning: string;
  owner: KeyOwner;
  /** Its value where nothing sets it. */
  fallback: Value;
  /** The flag that sets it; the flag beats everything. */
  flag?: readonly [name: `--${string}`, of: (flags: RunFlags) => Value | undefined];
  /** The environment variable that sets it; the variable beats the file. */
  variable?: readonly [name: string, of: (environment: RunEnvironment) => Value | null];
  /** The value as the config file has it, for `afk-triage config`; default: as it is. */
  write?: (value: Value) => unknown;
}

const factsOf = new WeakMap<z.core.$ZodType, SettingFacts<unknown>>();

/** A key of the config file that holds a value, with everything that is known of it. */
export function setting<Type extends z.ZodType>(
  type: Type,
  facts: SettingFacts<z.output<Type>>,
): z.ZodOptional<Type> {
  const key = type.optional().meta({ description: facts.meaning });
  factsOf.set(key, facts as unknown as SettingFacts<unknown>);
  return key;
}

/** One setting with its place in the config file. */
export interface Setting {
  /** Its path with dots between, e.g. `coder.url`. */
  key: string;
  path: readonly string[];
  facts: SettingFacts<unknown>;
}

/** Every setting of a config file, in the schema's order. Throws for a key that `setting` did not make. */
export function settingsIn(schema: z.ZodObject, above: readonly string[] = []): Setting[] {
  return Object.entries(schema.shape).flatMap(([name, part]): Setting[] => {
    const path = [...above, name];
    const facts = factsOf.get(part);
    if (facts !== undefined) return [{ key: path.join("."), path, facts }];
    const section = part instanceof z.ZodOptional ? part.unwrap() : part;
    if (section instanceof z.ZodObject) return settingsIn(section, path);
    throw new Error(`the key ${path.join(".")} of the config file was not made by setting()`);
  });
}

/** The settings of a schema with a value each. */
export type Resolved<Schema extends z.ZodObject> = {
  [Key in keyof Schema["shape"]]: Schema["shape"][Key] extends z.ZodOptional<infer Inner>
    ? Inner extends z.ZodObject
      ? Resolved<Inner>
      : z.output<Inner>
    : never;
};

/** The value at a path of keys; undefined where a step is missing or not an object. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}

/** Sets the value at a path of keys, and makes the objects on the way. */
export function putAt(whole: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let section = whole;
  for (const name of path.slice(0, -1)) section = (section[name] ??= {}) as Record<string, unknown>;
  section[path.at(-1) ?? ""] = value;
}
