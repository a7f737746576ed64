import { shellQuote } from "../../workspaces/index.ts";

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

/** A module that a program imports by name, in `import`, `export from`, `import()` and `require()`. */
const IMPORTED = /\b(?:from|import|require(?:\.resolve)?)\s{0,9}\(?\s{0,9}["'`]([^"'`\s]+)["'`]/g;
/** The package of such a name: the part before the path in it. */
const PACKAGE = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=\/|$)/;

/**
 * Shell lines that put the checkout under the name of its own package, if the program imports that and nothing else has the name:
 * reports import the package, not the checkout. It has to be a link of the file system: the controls tell it from an installed
 * module. Nothing is started for it but `grep`, because these lines run before every run of the program.
 */
function linkItself(text: string): string[] {
  const packages = [...text.matchAll(IMPORTED)].flatMap(([, module = ""]) => PACKAGE.exec(module)?.[0] ?? []);
  const names = [...new Set(packages)];
  if (names.length === 0) return [];
  return [
    `for name in ${names.map(shellQuote).join(" ")}; do`,
    `  if [ ! -e "node_modules/$name" ] && grep -qsF -e "\\"name\\": \\"$name\\"" -e "\\"name\\":\\"$name\\"" package.json; then`,
    `    mkdir -p "node_modules/$(dirname "$name")" && ln -s "$(pwd -P)" "node_modules/$name"`,
    "  fi",
    "done",
  ];
}

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
      return heredoc(`reproduction.${isModule ? "mjs" : "cjs"}`, text, linkItself(text), "node");
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
