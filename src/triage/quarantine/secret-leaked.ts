import { OperationalError } from "agent-tty/kit";
import type { CanaryHit } from "./canary-detector.ts";

/** The loud end of a Triage Run that gave away a secret of the parent. `place` says where it was found. */
export function secretLeaked({ name, form }: CanaryHit, place: string): OperationalError<"SECRET_LEAKED"> {
  return new OperationalError({
    code: "SECRET_LEAKED",
    message:
      `check what the Triage Run left: ${place} holds the parent's secret ${name} (${form}). ` +
      "The outcome is quarantined: nothing was published, and the files that hold the secret were not kept",
    remedy: `Revoke and replace ${name} now, then find out how code inside a Coder workspace could read it.`,
  });
}
