import { rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { PRIVATE_FILE_MODE } from "../home/index.ts";
import type { Ids } from "../kit/index.ts";
import { integratedShell, plainShell, type ShellDialect, shellIntegrationScript } from "../run/index.ts";
import { prepareZsh } from "./prepare-zsh.ts";
import type { SessionSpec } from "./session.ts";

export interface PreparedShell {
  command: SessionSpec["command"];
  dialect: ShellDialect;
  nonces: readonly string[];
  /** Variables that the shell needs in addition to the Session's own. */
  env: Readonly<Record<string, string>>;
}

/** Flags that keep bash an interactive shell that reads an rc file; --norc and --noprofile only disable files. */
const INTERACTIVE_FLAGS = new Set(["-i", "--norc", "--noprofile", "--noediting"]);

/**
 * Resolves with the command and variables that start the shell, and with the way in which the end of a command is detected. An
 * interactive bash or zsh gets our prompt hooks if the spec asks for that.
 */
export async function prepareShell(
  spec: Pick<SessionSpec, "command" | "env" | "shellIntegration">,
  directory: string,
  ids: Ids,
): Promise<PreparedShell> {
  const { command, shellIntegration } = spec;
  const [program, ...flags] = command;
  if (shellIntegration !== undefined && shellIntegration !== "automatic")
    return {
      command,
      dialect: integratedShell("bash", () => ids.hex(8)),
      nonces: [shellIntegration.nonce],
      env: {},
    };
  const isBash = basename(program) === "bash" && flags.every((flag) => INTERACTIVE_FLAGS.has(flag));
  const isZsh = basename(program) === "zsh" && flags.every((flag) => flag === "-i");
  if (shellIntegration === "automatic" && isZsh) {
    const nonce = ids.hex(16);
    const env = await prepareZsh(directory, nonce, spec.env);
    return {
      command: [program, "-i"],
      dialect: integratedShell("zsh", () => ids.hex(8)),
      nonces: [nonce],
      env,
    };
  }
  if (shellIntegration === undefined || !isBash)
    return { command, dialect: plainShell(program, () => ids.hex(8)), nonces: [], env: {} };
  const nonce = ids.hex(16);
  const rcFile = join(directory, "shell.bashrc");
  // The file may be left over from before a restart.
  await rm(rcFile, { force: true });
  await writeFile(rcFile, rcScript(nonce, flags.includes("--norc")), { flag: "wx", mode: PRIVATE_FILE_MODE });
  const kept = flags.filter((flag) => flag === "--noediting" || flag === "--noprofile");
  return {
    command: [program, ...kept, "--rcfile", rcFile, "-i"],
    dialect: integratedShell("bash", () => ids.hex(8)),
    nonces: [nonce],
    env: {},
  };
}

/** Returns an rc file that reads the person's own rc file first and keeps its prompt and prompt command, inside our hooks. */
function rcScript(nonce: string, withoutOwn: boolean): string {
  const own = withoutOwn ? "" : "if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi\n";
  return `${own}__tty_own_prompt=$PS1
__tty_own_command=\${PROMPT_COMMAND-}
${shellIntegrationScript(nonce)}
PS1=$__tty_own_prompt
PROMPT_COMMAND=$__tty_own_command
unset __tty_own_prompt __tty_own_command
`;
}
