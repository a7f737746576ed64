import { redactSecretsIn } from "../../github/index.ts";
import {
  chooseSettings,
  defaultRunFlags,
  environmentSchema,
  readConfigFile,
  readEnvironment,
  type RunFlags,
} from "../../config/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Output, settingLines, shownSettingsOf } from "../output/index.ts";

export interface ConfigRequest extends Pick<Partial<RunFlags>, "provider" | "config" | "home"> {
  repo: RunFlags["repo"];
}

interface ShownVariable {
  name: string;
  isSet: boolean;
  /** null for a secret, whether it is set or not. */
  value: string | null;
}

/** `afk-triage config`: prints each setting with its source. */
export async function configCommand(
  request: ConfigRequest,
  output: Output,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const environment = readEnvironment(env);
  const file = await readConfigFile(request.config ?? null, environment);
  const { chosen } = chooseSettings({ ...defaultRunFlags, ...request }, environment, file.config);
  const settings = shownSettingsOf(chosen, file);
  output.answer([
    `config file: ${file.path ?? "none"}`,
    ...(file.machinePath === null ? [] : [`this machine's config file: ${file.machinePath}`]),
    ...settingLines(settings, output.answerColumns),
  ]);
  output.document({
    schema: "afk-triage/config@1",
    file: file.path,
    machineFile: file.machinePath,
    settings,
    environment: shownEnvironment(env),
  });
  return exitCodes.done;
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
