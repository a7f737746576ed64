/** Languages that are run without anything being installed, by the name of a fence. */
const PROGRAMS: Readonly<Record<string, "javascript" | "python" | "shell">> = {
  js: "javascript",
  javascript: "javascript",
  jsx: "javascript",
  cjs: "javascript",
  mjs: "javascript",
  node: "javascript",
  py: "python",
  python: "python",
  python3: "python",
  sh: "shell",
  bash: "shell",
  shell: "shell",
  zsh: "shell",
  console: "shell",
};

/** Longest script that is run, in characters. */
export const MAX_SCRIPT_CHARACTERS = 32_000;

/**
 * The checkout under the name of its own package, where nothing else has that name: reports import the package, not the checkout.
 * It has to be a link of the file system: the controls tell it from an installed module.
 */
const LINK_ITSELF = [
  `name=$(node -p 'require("./package.json").name || ""' 2>/dev/null)`,
  `if [ -n "$name" ] && [ ! -e "node_modules/$name" ]; then`,
  `  mkdir -p "node_modules/$(dirname "$name")" && ln -s "$(pwd -P)" "node_modules/$name"`,
  "fi",
];

export type ProgramLanguage = "javascript" | "python" | "shell";

/** null: a program in this language is not run. Without a language the text decides. */
export function languageOf(fence: string, text: string): ProgramLanguage | null {
  const named = PROGRAMS[fence];
  if (named !== undefined) return named;
  if (fence !== "") return null;
  if (/^#!.*\b(?:sh|bash)\b/.test(text)) return "shell";
  if (/\brequire\(["'`]|^import\s.+\sfrom\s+["']/m.test(text)) return "javascript";
  return null;
}

/** A program of a report as a shell script; null: it is empty, too long, or only sets things up. */
export function programScript(language: ProgramLanguage, text: string): string | null {
  if (text.length > MAX_SCRIPT_CHARACTERS || text.trim() === "") return null;
  switch (language) {
    case "shell":
      return shellScript(text);
    case "javascript": {
      const isModule =
        /^\s*(?:import\s.+from\s|import\s*["']|export\s)/m.test(text) || /^await\s/m.test(text);
      return heredoc(`reproduction.${isModule ? "mjs" : "cjs"}`, text, LINK_ITSELF, "node");
    }
    case "python":
      return heredoc(
        "reproduction.py",
        text,
        [`export PYTHONPATH="$(pwd -P)\${PYTHONPATH:+:$PYTHONPATH}"`],
        "python3",
      );
  }
}

function heredoc(file: string, text: string, before: readonly string[], program: string): string {
  let end = "END_OF_REPORT";
  while (text.includes(end)) end += "_";
  return ["#!/bin/sh", ...before, `cat > ${file} <<'${end}'`, text, end, `exec ${program} ${file}`, ""].join(
    "\n",
  );
}

/** Commands that only set up a machine, or print versions, show no bug. */
const SETTING_UP =
  /^(?:sudo |cd |mkdir |git (?:clone|checkout|init)|npm (?:i|install|ci|init|add)\b|yarn(?: add| install|$)|pnpm (?:i|add|install)\b|pip3? install|apt|brew|uname|node (?:-v|--version)|npm (?:-v|--version)|export |set -|#)/;

function shellScript(text: string): string | null {
  const lines = text.split("\n");
  const hasPrompts = lines.some((line) => /^\s*\$ /.test(line));
  const commands = hasPrompts
    ? lines.filter((line) => /^\s*\$ /.test(line)).map((line) => line.replace(/^\s*\$ /, ""))
    : lines;
  const isTelling = commands.some((line) => line.trim() !== "" && !SETTING_UP.test(line.trim()));
  if (!isTelling) return null;
  const body = commands.join("\n");
  return body.startsWith("#!") ? body : `#!/bin/sh\n${body}\n`;
}
