import type { CoderTemplate } from "./coder-schemas.ts";
import { printable } from "./workspace-error.ts";

interface TemplateSetting {
  /** The flag of `coder templates edit`, with the value that docs/coder.md sets. */
  flag: string;
  /** Its purpose, worded as the end of a sentence that begins with "without it". */
  without: string;
  /** Whether it needs Coder Premium. */
  isLicensed: boolean;
  isSet: (template: CoderTemplate) => boolean;
}

const SETTINGS: readonly TemplateSetting[] = [
  {
    flag: "--allow-user-cancel-workspace-jobs",
    without: "a build that hangs cannot be cancelled before its deletion",
    isLicensed: false,
    isSet: (template) => template.allow_user_cancel_workspace_jobs !== false,
  },
  {
    flag: "--failure-ttl 1h",
    without: "a failed build whose parent is gone keeps its machine",
    isLicensed: true,
    isSet: ({ failure_ttl_ms }) => failure_ttl_ms !== 0,
  },
  {
    flag: "--dormancy-threshold 24h",
    without: "a Coder workspace that every parent has forgotten is never dormant",
    isLicensed: true,
    isSet: ({ time_til_dormant_ms }) => time_til_dormant_ms !== 0,
  },
  {
    flag: "--dormancy-auto-deletion 24h",
    without: "the name of a Coder workspace that every parent has forgotten never becomes free again",
    isLicensed: true,
    isSet: ({ time_til_dormant_autodelete_ms }) => time_til_dormant_autodelete_ms !== 0,
  },
];

const MOST_NAMES = 10;

/**
 * Returns warnings about the notifications of the Coder user that a parent works as. Pure. Nobody reads these notifications, and
 * each batch would cause hundreds.
 */
export function notificationWarnings(username: string, on: readonly string[]): string[] {
  if (on.length === 0) return [];
  const more = on.length > MOST_NAMES ? ` and ${on.length - MOST_NAMES} more` : "";
  const names = on.slice(0, MOST_NAMES).map((name) => printable(name, 60));
  return [
    `Switch off these notifications of the Coder user ${printable(username, 60)}, in the settings of its account: ${names.join(", ")}${more}. Nobody reads them.`,
  ];
}

/**
 * Returns one warning for each setting of the Coder template that the second line of defence needs and that is not set; the
 * warning names the setting. Pure. These settings are not part of Terraform. A setting that the deployment does not report, or
 * that its licence does not allow, causes no warning.
 */
export function settingWarnings(template: CoderTemplate, hasScheduling: boolean): string[] {
  return SETTINGS.filter(({ isLicensed, isSet }) => (hasScheduling || !isLicensed) && !isSet(template)).map(
    ({ flag, without }) =>
      `Set ${flag} with \`coder templates edit ${template.name}\`: without it ${without}.`,
  );
}
