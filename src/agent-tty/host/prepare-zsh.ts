import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FILE_MODE } from "../home/index.ts";
import { zshIntegrationScript } from "../run/index.ts";

/**
 * Creates a directory from which an interactive zsh starts (ZDOTDIR) with the prompt hooks. The person's own start files are read
 * first, from their own place. Resolves with the variables that zsh needs.
 */
export async function prepareZsh(
  directory: string,
  nonce: string,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const start = join(directory, "zsh");
  // The directory may be left over from before a restart.
  await rm(start, { recursive: true, force: true });
  await mkdir(start, { mode: 0o700 });
  const source = (file: string): string =>
    `if [[ -r \${ZDOTDIR:-$HOME}/${file} ]]; then . "\${ZDOTDIR:-$HOME}/${file}"; fi\n`;
  const restore =
    "if [[ -n ${__TTY_OWN_ZDOTDIR-} ]]; then ZDOTDIR=$__TTY_OWN_ZDOTDIR; else unset ZDOTDIR; fi\nunset __TTY_OWN_ZDOTDIR\n";
  // The person's own .zshenv may choose the directory of the other start files, but zsh must still read ours first.
  const keep = `__TTY_OWN_ZDOTDIR=\${ZDOTDIR-}\nZDOTDIR='${start.replaceAll("'", "'\\''")}'\n`;
  const files = {
    ".zshenv": `${restore}${source(".zshenv")}${keep}`,
    ".zshrc": `${restore}${source(".zshrc")}${zshIntegrationScript(nonce)}`,
  };
  for (const [file, text] of Object.entries(files))
    await writeFile(join(start, file), text, { flag: "wx", mode: PRIVATE_FILE_MODE });
  const before = env["ZDOTDIR"];
  return { ZDOTDIR: start, ...(before === undefined ? {} : { __TTY_OWN_ZDOTDIR: before }) };
}
