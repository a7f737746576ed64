import type { LinkedRepository } from "./linked-repository.ts";

/** The folder in the checkout into which the script puts the files. */
const FOLDER = "linked-reproduction";
/** Names of package.json scripts; the first one that the project has is started. */
const STARTED = ["reproduce", "reproduction", "repro", "test", "start"];
/** Names of Python files; the first one that the project has is started. */
const STARTED_IN_PYTHON = ["reproduce.py", "reproduction.py", "repro.py", "main.py", "app.py"];

/** Returns a shell script that fetches a linked repository, installs its dependencies and starts it. */
export function linkedScript({ url, commit, folder }: LinkedRepository): string {
  return projectScript([
    `git init -q ${FOLDER} && cd ${FOLDER} || exit 125`,
    `git fetch -q --depth 1 ${url} ${commit} && git checkout -q FETCH_HEAD || exit 125`,
    ...(folder === "" ? [] : [`cd "${folder}" || exit 125`]),
  ]);
}

/**
 * Returns a shell script that writes the files of a playground, installs their dependencies and starts them. Paths must be plain
 * and relative.
 */
export function filesScript(files: ReadonlyMap<string, string>): string {
  const written = [...files].flatMap(([path, content]) => {
    let end = "END_OF_FILE";
    while (content.includes(end)) end += "_";
    return [`mkdir -p "$(dirname "${path}")" && cat > "${path}" <<'${end}' || exit 125`, content, end];
  });
  return projectScript([`mkdir ${FOLDER} && cd ${FOLDER} || exit 125`, ...written]);
}

/**
 * Returns a shell script that installs the project's dependencies without running install scripts, replaces the installed product
 * with the checkout, and starts the project. If it is neither a JavaScript package nor a Python project, the script ends with a
 * message and exit code 125. The output of the installation is discarded, because it contains times and runs are compared by
 * their output.
 */
function projectScript(placed: readonly string[]): string {
  const choose = `const { scripts = {} } = require("./package.json"); process.stdout.write(${JSON.stringify(STARTED)}.find((name) => name in scripts) ?? "")`;
  return [
    "#!/bin/sh",
    "product=$(pwd -P)",
    ...placed,
    "if [ -f package.json ]; then",
    `  npm install --ignore-scripts --no-audit --no-fund >/dev/null 2>&1 || { echo "npm install failed in the linked project" >&2; exit 125; }`,
    `  name=$(node -p 'require(process.argv[1]).name || ""' "$product/package.json") || exit 125`,
    `  if [ -n "$name" ]; then`,
    `    mkdir -p "node_modules/$(dirname "$name")" && rm -rf "node_modules/$name" && ln -s "$product" "node_modules/$name"`,
    "  fi",
    `  started=$(node -e '${choose}')`,
    `  if [ -n "$started" ]; then exec npm run --silent "$started"; fi`,
    "  exec node .",
    "fi",
    "if [ -f requirements.txt ]; then",
    `  python3 -m pip install --quiet --only-binary :all: --target .packages -r requirements.txt >/dev/null 2>&1 || { echo "pip install failed in the linked project" >&2; exit 125; }`,
    "fi",
    `export PYTHONPATH="$product:$product/src:$(pwd -P)/.packages\${PYTHONPATH:+:$PYTHONPATH}"`,
    `for file in ${STARTED_IN_PYTHON.join(" ")}; do`,
    `  if [ -f "$file" ]; then exec python3 "$file"; fi`,
    "done",
    "for file in test_*.py tests/test_*.py; do",
    `  if [ -f "$file" ]; then exec python3 -m pytest -q "$file"; fi`,
    "done",
    `echo "neither a package.json nor a Python file to start in the linked project" >&2`,
    "exit 125",
    "",
  ].join("\n");
}
