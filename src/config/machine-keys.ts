import { knownSettings } from "./choose-settings.ts";
import { valueAt } from "./setting.ts";

/**
 * Returns the keys of a repository's file that only the machine may set (S22), each with the reason. Empty: the file may be used.
 */
export function machineKeysIn(config: unknown): { key: string; why: string }[] {
  return knownSettings.flatMap(({ key, path, facts }) => {
    const value = valueAt(config, path);
    if (value === undefined || value === null) return [];
    if (facts.owner === "machine") return [{ key, why: whyOf(key) }];
    return key === "provider" && value === "local"
      ? [{ key, why: "provider: local runs the repository's code on this machine, without a sandbox" }]
      : [];
  });
}

function whyOf(key: string): string {
  if (key.startsWith("retention.")) return "it decides which files of this machine are removed";
  if (key.startsWith("fleet.")) return "it is about all repositories of a fleet, not about this one";
  return "it chooses where a credential or a reader of comments goes, or what runs on this machine";
}
