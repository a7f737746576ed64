import { shellQuote } from "agent-tty/kit";

/** Languages that run without an installation, by the language name of a code fence. */
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

/** The longest script that is run, in characters. */
export const MAX_SCRIPT_CHARACTERS = 32_000;

/** Matches a module that a program imports by name, with `import`, `export from`, `import()` or `require()`. */
const IMPORTED = /\b(?:from|import|require(?:\.resolve)?)\s{0,9}\(?\s{0,9}["'`]([^"'`\s]+)["'`]/g;
/** Matches the package in such a name: the part before the path inside the package. */
const PACKAGE = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=\/|$)/;

/**
 * Returns shell lines that link the checkout into `node_modules` under its own package name, because reports import the package,
 * not the checkout. They do so only if the program imports that name and no installed module has it. It must be a symbolic link,
 * because the controls distinguish it from an installed module. The lines start hardly any program besides `grep`, because they
 * run before every run of the program.
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

/** Returns the language of a code block, from the text if the fence names none; null: programs in this language are not run. */
export function languageOf(fence: string, text: string): ProgramLanguage | null {
  const named = PROGRAMS[fence];
  if (named !== undefined) return named;
  if (fence !== "") return null;
  if (/^#!.*\b(?:sh|bash)\b/.test(text)) return "shell";
  if (/\brequire\(["'`]|^import\s.+\sfrom\s+["']/m.test(text)) return "javascript";
  return null;
}

/** Returns a program from a report as a shell script; null: it is empty, too long, or only sets up a machine. */
export function programScript(language: ProgramLanguage, text: string): string | null {
  if (text.length > MAX_SCRIPT_CHARACTERS || text.trim() === "") return null;
  switch (language) {
    case "shell":
      return shellScript(text);
    case "javascript": {
      const isModule =
        /^[\t ]*(?:import\s.+from\s|import\s*["']|export\s)/m.test(text) || /^await\s/m.test(text);
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

/** Commands that only set up a machine or print versions. They show no bug. */
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
