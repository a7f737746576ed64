import { type SessionManifest, STATUS_POLICY } from "../home/index.ts";
import type { LogDamage } from "../log/index.ts";

/** The damage in a Session's Event Log that a command had to skip, for its result. */
export interface SkippedDamage {
  readonly onDamage: (found: LogDamage) => void;
  /** The damage found so far. */
  readonly damage: readonly LogDamage[];
  /** For the JSON document: empty without damage. */
  readonly fields: () => { damage?: readonly LogDamage[] };
  /** For people: empty without damage. */
  readonly warnings: () => string[];
}

/** Collects the damage; `status` is that of the Session before its Event Log is read. */
export function skippedDamage({ status }: Pick<SessionManifest, "status">): SkippedDamage {
  const damage: LogDamage[] = [];
  return {
    damage,
    onDamage: (found) => {
      // The last line of a live Session may be half written.
      if (found.type !== "torn-tail" || !STATUS_POLICY[status].active) damage.push(found);
    },
    fields: () => (damage.length === 0 ? {} : { damage }),
    warnings: () =>
      damage.length === 0 ? [] : [`damaged places of the Event Log that were left out: ${damage.length}`],
  };
}
