import { plainText, redactSecretsIn, inertJson } from "../../github/index.ts";
import {
  type ChosenSetting,
  chooseSettings,
  type ConfigFile,
  defaultRunFlags,
  environmentSchema,
  readConfigFile,
  readEnvironment,
  type RunFlags,
} from "../../config/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";

export interface ConfigRequest extends Pick<Partial<RunFlags>, "provider" | "config" | "home"> {
  repo: RunFlags["repo"];
}

interface ShownSetting {
  key: string;
  value: unknown;
  source: ChosenSetting["source"];
  /** The flag, the variable, or `file:line`; null for a default. */
  from: string | null;
}

interface ShownVariable {
  name: string;
  isSet: boolean;
  /** null for a secret, set or not. */
  value: string | null;
}

/** `afk-triage config`: each setting with its source. */
export async function configCommand(
  request: ConfigRequest,
  output: Output,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const environment = readEnvironment(env);
  const file = await readConfigFile(request.config ?? null, environment);
  const { chosen } = chooseSettings({ ...defaultRunFlags, ...request }, environment, file.config);
  const settings = chosen.map((setting): ShownSetting => ({
    key: setting.key,
    value: redactSecretsIn(setting.value),
    source: setting.source,
    from: originOf(setting, file),
  }));
  output.answer([
    `config file: ${file.path ?? "none"}`,
    ...settings.map(
      ({ key, value, from }) =>
        `  ${key}: ${plainText(inertJson(value))}${from === null ? "" : `  (${from})`}`,
    ),
  ]);
  output.document({
    schema: "afk-triage/config@1",
    file: file.path,
    settings,
    environment: shownEnvironment(env),
  });
  return exitCodes.done;
}

function originOf({ key, source, flag, variable }: ChosenSetting, file: ConfigFile): string | null {
  switch (source) {
    case "flag":
      return flag;
    case "environment":
      return variable;
    case "file":
      return `${file.path}:${file.lineOf(key)}`;
    case "default":
      return null;
  }
}

function shownEnvironment(env: NodeJS.ProcessEnv): ShownVariable[] {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const value = env[name] ?? "";
    const isSecret = schema.meta()?.["isSecret"] === true;
    const isInFile = isSecret && (env[`${name}_FILE`] ?? "") !== "";
    return {
      name,
      isSet: value !== "" || isInFile,
      value: isSecret || value === "" ? null : redactSecretsIn(value),
    };
  });
}
