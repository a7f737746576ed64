import type { AppFacts, AppGrant, AppPermissions } from "../../github/index.ts";
import { type DoctorCheck, failed, ok, warn } from "../doctor-check.ts";

const LEVELS = ["read", "write", "admin"];
const NEEDED: AppPermissions = { contents: "read", issues: "write", metadata: "read" };
/** The further permissions that private repositories need. */
const ON_PRIVATE: AppPermissions = { pull_requests: "read", checks: "read", statuses: "read" };
const EVENTS = ["issues", "issue_comment"];
/** The event that reports renames and deletions at once; without it they are noticed within an hour. */
const USEFUL_EVENT = "repository";

/** Returns whether the App asks for the permissions and events that a fleet needs, as a check. Pure. */
export function judgeFleetApp({ slug, permissions, events }: AppFacts): DoctorCheck {
  const missing = missingFrom(permissions, NEEDED);
  const unheard = EVENTS.filter((event) => !events.includes(event));
  const settings = `the settings of the App ${slug} at GitHub, "Permissions & events"`;
  if (missing.length > 0)
    return failed(
      "fleet-app",
      `${slug} lacks the permission ${missing.join(", ")}`,
      `Add it in ${settings}; then each account accepts the change.`,
    );
  if (unheard.length > 0)
    return failed(
      "fleet-app",
      `${slug} is not subscribed to the event ${unheard.join(", ")}`,
      `Subscribe to it in ${settings}.`,
    );
  const unreadable = missingFrom(permissions, ON_PRIVATE);
  if (unreadable.length > 0)
    return warn(
      "fleet-app",
      `${slug} has not ${unreadable.join(", ")}, which private repositories need`,
      `Add it in ${settings}, or install the App on public repositories only.`,
    );
  if (!events.includes(USEFUL_EVENT))
    return warn(
      "fleet-app",
      `${slug} is not sent the event ${USEFUL_EVENT}: it takes up to an hour to notice a renamed repository`,
      `Subscribe to it in ${settings}.`,
    );
  return ok("fleet-app", `${slug} has the permissions and events that a fleet needs`);
}

/**
 * Returns whether the App is installed, and whether each account has accepted the permissions that the App asks for, as a check.
 * Pure.
 */
export function judgeFleetInstallations(app: AppFacts, grants: readonly AppGrant[]): DoctorCheck {
  const active = grants.filter(({ isSuspended }) => !isSuspended);
  if (active.length === 0)
    return failed(
      "fleet-installations",
      grants.length === 0
        ? `${app.slug} is installed on no account`
        : `${app.slug} is suspended by ${grants.map(({ account }) => account).join(", ")}`,
      `Install it, or lift the suspension: https://github.com/apps/${app.slug}/installations/new`,
    );
  const behind = active.filter(({ permissions }) => missingFrom(permissions, NEEDED).length > 0);
  if (behind.length > 0)
    return failed(
      "fleet-installations",
      behind
        .map(
          ({ account, permissions }) =>
            `${account} has not granted ${missingFrom(permissions, NEEDED).join(", ")}`,
        )
        .join("; "),
      'An owner of the account accepts the App\'s new permissions in its settings, "Installed GitHub Apps".',
    );
  const suspended = grants.length - active.length;
  const accounts = active.map(({ account }) => account).join(", ");
  if (suspended > 0)
    return warn(
      "fleet-installations",
      `installed by ${accounts}; ${suspended} suspended: their issues are not triaged`,
      "Lift the suspension in the settings of the account, if it was not intended.",
    );
  return ok("fleet-installations", `installed by ${accounts}`);
}

/** Returns the permissions that are needed and not granted, such as `issues: write`. */
function missingFrom(granted: AppPermissions, needed: AppPermissions): string[] {
  return Object.entries(needed)
    .filter(([name, level]) => LEVELS.indexOf(granted[name] ?? "") < LEVELS.indexOf(level))
    .map(([name, level]) => `${name}: ${level}`);
}
