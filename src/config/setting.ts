import { z } from "zod";
import type { RunEnvironment } from "./environment.ts";
import type { RunFlags } from "./program-settings.ts";

/**
 * The owner of a key: only the machine that runs the parent, or the triaged repository as well (S22). The machine's keys choose
 * where a credential is sent, which programs run beside the parent's credentials, or what the home keeps. A repository's file
 * comes with a checkout, and anybody may have written it.
 */
export type KeyOwner = "machine" | "repository";

/** Everything about one setting except the type of its value. */
export interface SettingFacts<Value> {
  /** One sentence for docs/configuration.md. */
  meaning: string;
  owner: KeyOwner;
  /** Its value if nothing sets it. */
  fallback: Value;
  /** The flag that sets it. It takes precedence over every other source. */
  flag?: readonly [name: `--${string}`, of: (flags: RunFlags) => Value | undefined];
  /** The environment variable that sets it. It takes precedence over the file. */
  variable?: readonly [name: string, of: (environment: RunEnvironment) => Value | null];
  /** Converts the value to the form of the config file, for `afk-triage config`. Default: the value itself. */
  write?: (value: Value) => unknown;
}

const factsOf = new WeakMap<z.core.$ZodType, SettingFacts<unknown>>();

/** Declares a key of the config file that holds a value, with all its facts. */
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
  /** Its path, joined by dots, e.g. `coder.url`. */
  key: string;
  path: readonly string[];
  facts: SettingFacts<unknown>;
}

/** Returns every setting of a config file, in the schema's order. Throws for a key that was not declared with `setting`. */
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

/** The settings of a schema, each with a value. */
export type Resolved<Schema extends z.ZodObject> = {
  [Key in keyof Schema["shape"]]: Schema["shape"][Key] extends z.ZodOptional<infer Inner>
    ? Inner extends z.ZodObject
      ? Resolved<Inner>
      : z.output<Inner>
    : never;
};

/** Returns the value at a path of keys; undefined if a step is missing or not an object. */
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
