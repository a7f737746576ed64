import { checkCliVersion } from "./coder-cli.ts";
import type { CoderContext } from "./coder-context.ts";
import type { CoderTemplate } from "./coder-schemas.ts";
import { chooseTemplate, planTemplate, type TemplatePlan } from "./template-plan.ts";
import { isRecentEnough, MINIMUM_VERSION, parseVersion } from "./version.ts";
import { printable, workspaceError } from "./workspace-error.ts";

export interface Preflight {
  serverVersion: string;
  plan: TemplatePlan;
  warnings: string[];
}

/** Everything that would fail every create, asked before the first one. */
export async function runPreflight(context: CoderContext, signal: AbortSignal): Promise<Preflight> {
  const { api, cli, timings, wish } = context;
  await checkConfiguration(context, signal);
  const cliVersion = await checkCliVersion(cli, timings, signal);
  const serverVersion = await api.serverVersion(signal);
  if (!isRecentEnough(serverVersion))
    throw workspaceError({
      code: "CODER_SERVER_TOO_OLD",
      message: `The Coder deployment at ${context.url} is ${printable(serverVersion, 64)}; ${MINIMUM_VERSION} is needed`,
      remedy: `Upgrade the Coder deployment to ${MINIMUM_VERSION} or later.`,
    });
  await api.me(signal);
  const template = await findTemplate(context, signal);
  const versionId = template.active_version_id;
  const presets = await api.presets(versionId, signal);
  const parameters = await api.richParameters(versionId, signal);
  const externalAuth = await api.externalAuth(versionId, signal);
  const plan = planTemplate(wish, { template, presets, parameters, externalAuth });
  return { serverVersion, plan, warnings: [...plan.warnings, ...skew(cliVersion, serverVersion)] };
}

async function findTemplate({ api, wish }: CoderContext, signal: AbortSignal): Promise<CoderTemplate> {
  const found = await api.templates(wish.template, wish.organization, signal);
  return chooseTemplate(wish, found, found.length === 0 ? await api.allTemplates(signal) : found);
}

/** Who owns, and from which template, what this program created: all that a reaper needs to be in order (S15). */
export async function findOwnership(
  context: CoderContext,
  signal: AbortSignal,
): Promise<{ ownerId: string; templateId: string }> {
  await checkConfiguration(context, signal);
  const { id: ownerId } = await context.api.me(signal);
  const { id: templateId } = await findTemplate(context, signal);
  return { ownerId, templateId };
}

async function checkConfiguration({ url, token, wish }: CoderContext, signal: AbortSignal): Promise<void> {
  const failure = (message: string) =>
    workspaceError({
      code: "CODER_NOT_CONFIGURED",
      message,
      remedy: "Set CODER_URL and CODER_SESSION_TOKEN (`coder tokens create`), and `coder.template`.",
    });
  if (url === "") throw failure("CODER_URL is not set");
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol))
    throw failure(`CODER_URL is not an http(s) address: ${printable(url, 100)}`);
  if (parsed.username !== "" || parsed.password !== "") throw failure("CODER_URL carries credentials");
  // A header value: fetch would fail on every request with a message that hides the reason.
  if (token.current() === "") await token.renew("", signal);
  if (!/^[\x21-\x7e]+$/.test(token.current()))
    throw failure("CODER_SESSION_TOKEN is not set, or not a token");
  if (wish.template === "") throw failure("No Coder template is named");
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
