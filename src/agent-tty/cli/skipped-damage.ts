import { type Home, STATUS_POLICY } from "../home/index.ts";
import type { LogDamage } from "../log/index.ts";

/** The damage in a Session's Event Log that a command had to skip, for its result. */
export interface SkippedDamage {
  readonly onDamage: (found: LogDamage) => void;
  /** For the JSON document: empty without damage. */
  fields(): { damage?: readonly LogDamage[] };
  /** For people: empty without damage. */
  warnings(): string[];
}

/** Rejects with SESSION_NOT_FOUND or SESSION_UNREADABLE. */
export async function skippedDamage(home: Home, sessionId: string): Promise<SkippedDamage> {
  const { status } = await home.readManifest(sessionId);
  const damage: LogDamage[] = [];
  return {
    onDamage: (found) => {
      // The last line of a live Session may be half written.
      if (found.type !== "torn-tail" || !STATUS_POLICY[status].active) damage.push(found);
    },
    fields: () => (damage.length === 0 ? {} : { damage }),
    warnings: () =>
      damage.length === 0 ? [] : [`damaged places of the Event Log that were left out: ${damage.length}`],
  };
}
