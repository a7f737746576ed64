import { claimWarnings } from "./claim-plan.ts";
import { checkCliVersion } from "./coder-cli.ts";
import type { CoderQuota } from "./coder-api.ts";
import type { CoderContext } from "./coder-context.ts";
import type { CoderTemplate } from "./coder-schemas.ts";
import { notificationWarnings, settingWarnings } from "./template-settings.ts";
import { chooseTemplate, planTemplate, type TemplatePlan } from "./template-plan.ts";
import { isRecentEnough, MINIMUM_VERSION, parseVersion } from "./version.ts";
import { printable, workspaceError } from "./workspace-error.ts";

export interface Preflight {
  serverVersion: string;
  plan: TemplatePlan;
  warnings: string[];
}

/**
 * Checks, before the first create, everything that would make every create fail, and resolves with the plan. Rejects with a
 * WorkspaceErrorCode.
 */
export async function runPreflight(context: CoderContext, signal: AbortSignal): Promise<Preflight> {
  const { api, cli, timings } = context;
  await checkConfiguration(context, signal);
  const cliVersion = await checkCliVersion(cli, timings, signal);
  const serverVersion = await checkServer(context, signal);
  await api.me(signal);
  const plan = await planCreates(context, signal);
  const warnings = [
    ...plan.warnings,
    ...claimWarnings(serverVersion, plan.isClaiming),
    ...skew(cliVersion, serverVersion),
  ];
  return { serverVersion, plan, warnings };
}

/** The same checks one by one, so that a failed check does not hide the next. All reject with a WorkspaceErrorCode. */
export interface CoderQuestions {
  /** Returns the CLI's version. */
  cli(signal: AbortSignal): Promise<string>;
  /** Returns the deployment's version. */
  server(signal: AbortSignal): Promise<string>;
  /** Returns the owner of the token. */
  login(signal: AbortSignal): Promise<string>;
  /** Returns warnings about the template for people. */
  template(signal: AbortSignal): Promise<string[]>;
  /** Returns the user's credits in the organization of the template; null: the deployment has no quotas. */
  quota(signal: AbortSignal): Promise<CoderQuota | null>;
}

/** Returns the checks of a deployment that `doctor` runs one by one. A failed check rejects with the cause. */
export function askCoder(context: CoderContext): CoderQuestions {
  return {
    cli: (signal) => checkCliVersion(context.cli, context.timings, signal),
    server: async (signal) => {
      checkAddress(context.url);
      return checkServer(context, signal);
    },
    login: async (signal) => {
      await checkConfiguration(context, signal);
      return (await context.api.me(signal)).username;
    },
    template: async (signal) => {
      await checkConfiguration(context, signal);
      const { warnings, isClaiming } = await planCreates(context, signal);
      const { api } = context;
      const settings = settingWarnings(
        await findTemplate(context, signal),
        await api.hasTemplateScheduling(signal),
      );
      const { username } = await api.me(signal);
      const notifications = notificationWarnings(username, await api.notificationsOn(signal));
      const claims = claimWarnings(await api.serverVersion(signal), isClaiming);
      return [...warnings, ...claims, ...settings, ...notifications];
    },
    quota: async (signal) => {
      await checkConfiguration(context, signal);
      const { organization_id: organizationId } = await findTemplate(context, signal);
      if (organizationId === undefined || organizationId === null) return null;
      const { id: userId } = await context.api.me(signal);
      return context.api.quota(organizationId, userId, signal);
    },
  };
}

async function checkServer({ api, url }: CoderContext, signal: AbortSignal): Promise<string> {
  const version = await api.serverVersion(signal);
  if (isRecentEnough(version)) return version;
  throw workspaceError({
    code: "CODER_SERVER_TOO_OLD",
    message: `The Coder deployment at ${url} is ${printable(version, 64)}; ${MINIMUM_VERSION} is needed`,
    remedy: `Upgrade the Coder deployment to ${MINIMUM_VERSION} or later.`,
  });
}

/** Returns the plan from the active version of the template. Rejects if that version would make every create fail. */
export async function planCreates(context: CoderContext, signal: AbortSignal): Promise<TemplatePlan> {
  const { api, wish } = context;
  const template = await findTemplate(context, signal);
  const versionId = template.active_version_id;
  const presets = await api.presets(versionId, signal);
  const parameters = await api.richParameters(versionId, signal);
  const externalAuth = await api.externalAuth(versionId, signal);
  return planTemplate(wish, { template, presets, parameters, externalAuth });
}

async function findTemplate({ api, wish }: CoderContext, signal: AbortSignal): Promise<CoderTemplate> {
  const found = await api.templates(wish.template, wish.organization, signal);
  return chooseTemplate(wish, found, found.length === 0 ? await api.allTemplates(signal) : found);
}

/**
 * Returns the owner and template of everything that this program created. A reaper proves ownership with both before it deletes
 * (S15).
 */
export async function findOwnership(
  context: CoderContext,
  signal: AbortSignal,
): Promise<{ ownerId: string; templateId: string }> {
  await checkConfiguration(context, signal);
  const { id: ownerId } = await context.api.me(signal);
  return { ownerId, templateId: (await findTemplate(context, signal)).id };
}

async function checkConfiguration({ url, token, wish }: CoderContext, signal: AbortSignal): Promise<void> {
  checkAddress(url);
  // The token becomes a header value: with invalid characters, fetch would fail on every request with a message that hides the
  // reason.
  if (token.current() === "") await token.renew("", signal);
  if (!/^[\x21-\x7e]+$/.test(token.current()))
    throw notConfigured("CODER_SESSION_TOKEN is not set, or not a token");
  if (wish.template === "") throw notConfigured("coder.template names no Coder template");
}

function checkAddress(url: string): void {
  if (url === "") throw notConfigured("CODER_URL is not set");
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol))
    throw notConfigured(`CODER_URL is not an http(s) address: ${printable(url, 100)}`);
  if (parsed.username !== "" || parsed.password !== "") throw notConfigured("CODER_URL carries credentials");
}

function notConfigured(message: string) {
  return workspaceError({
    code: "CODER_NOT_CONFIGURED",
    message,
    remedy:
      "Set CODER_URL and CODER_SESSION_TOKEN (a token comes from `coder tokens create`), or use --provider local.",
  });
}

function skew(cliVersion: string, serverVersion: string): string[] {
  const [cli, server] = [parseVersion(cliVersion), parseVersion(serverVersion)];
  return cli?.[0] === server?.[0] && cli?.[1] === server?.[1]
    ? []
    : [
        `The Coder CLI is ${printable(cliVersion, 64)} and the deployment ${printable(serverVersion, 64)}; ` +
          "the same minor version is safest.",
      ];
}
