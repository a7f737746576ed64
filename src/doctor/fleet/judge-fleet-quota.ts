import type { CoderQuota } from "../../workspaces/index.ts";
import { type DoctorCheck, failed, ok, skip } from "../doctor-check.ts";

/** Returns whether the Coder user has credits left, as a check. Pure. `quota` is null if the deployment has no quotas. */
export function judgeFleetQuota(quota: CoderQuota | null, parallelism: number): DoctorCheck {
  if (quota === null)
    return skip("fleet-quota", "this Coder deployment has no quotas (they need Coder Premium)");
  const { consumed, budget } = quota;
  if (budget === null) return ok("fleet-quota", `no limit; ${consumed} credits are in use`);
  const use = `${consumed} of ${budget} credits are in use; a worker has up to ${parallelism} Coder workspaces at once`;
  return consumed >= budget
    ? failed(
        "fleet-quota",
        use,
        "Raise the quota allowance of a group of the Coder user, or delete Coder workspaces.",
      )
    : ok("fleet-quota", use);
}
