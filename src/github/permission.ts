/** A person's permission in a repository; `unknown` if GitHub does not report it; `unknown` permits nothing. */
export type RepositoryPermission = "admin" | "maintain" | "write" | "triage" | "read" | "none" | "unknown";

/** Returns whether the permission is enough to label and close issues. */
export function mayTriage(permission: RepositoryPermission): boolean {
  switch (permission) {
    case "admin":
    case "maintain":
    case "write":
    case "triage":
      return true;
    case "read":
    case "none":
    case "unknown":
      return false;
  }
}
