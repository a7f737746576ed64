/** One thing a Triage Batch needs, and whether it is there. */
export type DoctorCheck = { name: DoctorCheckName; message: string } & (
  | { status: "ok"; remedy: null }
  /** A Triage Batch runs, but not as well or as safely as it could. */
  | { status: "warn"; remedy: string }
  /** It could not be asked before something else is mended, or cannot be asked from here. */
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

/** Made with `--fleet` only, after the others. */
export const fleetCheckNames = [
  "fleet-database",
  "fleet-app",
  "fleet-installations",
  "fleet-webhook",
  "fleet-quota",
  "fleet-clock",
] as const;

export type DoctorCheckName = (typeof doctorCheckNames)[number] | (typeof fleetCheckNames)[number];

/** A check without a finding. */
export function ok(name: DoctorCheckName, message: string): DoctorCheck {
  return { name, status: "ok", message, remedy: null };
}

/** A finding that does not stop a Triage Batch, with its remedy. */
export function warn(name: DoctorCheckName, message: string, remedy: string): DoctorCheck {
  return { name, status: "warn", message, remedy };
}

/** A check that could not or need not be made, with the reason in `message`. */
export function skip(name: DoctorCheckName, message: string): DoctorCheck {
  return { name, status: "skip", message, remedy: null };
}

/** A finding that stops a Triage Batch, with its remedy. */
export function failed(name: DoctorCheckName, message: string, remedy: string): DoctorCheck {
  return { name, status: "failed", message, remedy };
}
