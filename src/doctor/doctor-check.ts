export type DoctorCheck = { name: DoctorCheckName; message: string } & (
  | { status: "ok"; remedy: null }
  /** A Triage Batch runs, but not as well or as safely as it could. */
  | { status: "warn"; remedy: string }
  /** The check needs another check to pass first, or cannot be done from here. */
  | { status: "skip"; remedy: null }
  | { status: "failed"; remedy: string }
);

export const doctorCheckNames = [
  "node",
  "git",
  "environment",
  "config",
  "parallelism",
  "marker-key",
  "home",
  "store",
  "disk",
  "pty",
  "github-credential",
  "clock",
  "repository",
  "github-permissions",
  "labels",
  "coder-cli",
  "coder-server",
  "coder-login",
  "coder-template",
  "local-provider",
  "triage-agent",
] as const;

/** These checks run only with `--fleet`, after the others. */
export const fleetCheckNames = [
  "fleet-database",
  "fleet-app",
  "fleet-installations",
  "fleet-webhook",
  "fleet-quota",
  "fleet-clock",
] as const;

export type DoctorCheckName = (typeof doctorCheckNames)[number] | (typeof fleetCheckNames)[number];

/** Returns a check that passed. */
export function ok(name: DoctorCheckName, message: string): DoctorCheck {
  return { name, status: "ok", message, remedy: null };
}

/** Returns a check with a finding that does not stop a Triage Batch, and its remedy. */
export function warn(name: DoctorCheckName, message: string, remedy: string): DoctorCheck {
  return { name, status: "warn", message, remedy };
}

/** Returns a check that could not or need not run, with the reason in `message`. */
export function skip(name: DoctorCheckName, message: string): DoctorCheck {
  return { name, status: "skip", message, remedy: null };
}

/** Returns a check with a finding that stops a Triage Batch, and its remedy. */
export function failed(name: DoctorCheckName, message: string, remedy: string): DoctorCheck {
  return { name, status: "failed", message, remedy };
}
