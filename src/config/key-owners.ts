import { z } from "zod";
import { configSchema } from "./config-schema.ts";

/** The owners that may set a key: only the machine that runs the parent, or also the repository that is triaged (S22). */
export type KeyOwner = "machine" | "repository";

/**
 * Every key of the config file. The machine's are those that choose where a credential goes, what runs beside the
 * parent's credentials, or what the home keeps; a repository's file comes with a checkout, and anybody may have written it. A test compares
 * this table with the schema, so that a new key is classified.
 */
export const keyOwners: Readonly<Record<string, KeyOwner>> = {
  repos: "repository",
  // Only `coder`: see `refusedValue`.
  provider: "repository",
  parallelism: "repository",
  runDeadline: "repository",
  "triageAgent.kind": "repository",
  "triageAgent.mode": "repository",
  "triageAgent.command": "machine",
  "triageAgent.model": "repository",
  // For example ANTHROPIC_BASE_URL, which decides where the model credential goes.
  "triageAgent.env": "machine",
  "coder.url": "machine",
  "coder.template": "repository",
  "coder.preset": "repository",
  "coder.parameters": "repository",
  "coder.organization": "repository",
  "coder.multiplexer": "repository",
  // With checkout.strategy: bundle the parent's own git fetches it with the parent's credential.
  "checkout.url": "machine",
  "checkout.ref": "repository",
  "checkout.strategy": "repository",
  "checkout.setup": "repository",
  "reproduction.place": "repository",
  "reproduction.runs": "repository",
  "reproduction.timeout": "repository",
  "reproduction.range": "repository",
  "duplicates.candidates": "repository",
  "duplicates.requests": "repository",
  "duplicates.proofs": "repository",
  "duplicates.proofTime": "repository",
  "duplicates.close": "repository",
  "autonomy.needs-triage": "repository",
  "autonomy.needs-info": "repository",
  "autonomy.ready-for-agent": "repository",
  "autonomy.ready-for-human": "repository",
  "autonomy.close": "repository",
  "labels.bug": "repository",
  "labels.enhancement": "repository",
  "labels.needs-triage": "repository",
  "labels.needs-info": "repository",
  "labels.ready-for-agent": "repository",
  "labels.ready-for-human": "repository",
  "labels.wontfix": "repository",
  "needsInfo.activity": "repository",
  cooldown: "repository",
  pullRequestInterval: "repository",
  "budget.runUsd": "repository",
  "budget.batchUsd": "repository",
  "budget.runTokens": "repository",
  "budget.batchTokens": "repository",
  "budget.runsPerAuthor": "repository",
  // A release runs its own repository's code by design; `release` is never run for a foreign checkout.
  "release.setup": "repository",
  "release.verify": "repository",
  "release.versionFiles": "repository",
  "sweep.close": "repository",
  "sweep.grace": "repository",
  "sweep.commentsPerDay": "repository",
  "sweep.recheck": "repository",
  "sweep.triageAgent": "repository",
  // The home may hold the evidence of other repositories.
  "retention.age": "machine",
  "retention.size": "machine",
  // Comments in our name link there.
  "evidence.url": "machine",
  "security.keepEvidence": "machine",
  sessionLogMib: "repository",
  workspacePrefix: "repository",
};

/** Paths of all keys that hold a value, such as `coder.url`. A map whose keys are the user's own is one. */
export function leafKeys(): string[] {
  return leavesOf(z.toJSONSchema(configSchema, { io: "input" }) as Schema, []);
}

/** The keys of a repository's file that only the machine may set, with why. Empty: it may be used. */
export function machineKeysIn(config: unknown): { key: string; why: string }[] {
  return leafKeys().flatMap((key) => {
    const value = valueAt(config, key.split("."));
    if (value === undefined || value === null) return [];
    if ((keyOwners[key] ?? "machine") === "machine") return [{ key, why: whyOf(key) }];
    return key === "provider" && value === "local"
      ? [{ key, why: "provider: local runs the repository's code on this machine, without a sandbox" }]
      : [];
  });
}

function whyOf(key: string): string {
  return key.startsWith("retention.")
    ? "it decides which files of this machine are removed"
    : "it chooses where a credential or a reader of comments goes, or what runs on this machine";
}

interface Schema {
  properties?: Record<string, Schema>;
}

function leavesOf({ properties = {} }: Schema, path: readonly string[]): string[] {
  return Object.entries(properties).flatMap(([name, below]) =>
    below.properties === undefined ? [[...path, name].join(".")] : leavesOf(below, [...path, name]),
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}
