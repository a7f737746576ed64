import type { RepositoryName } from "../../github/index.ts";

/** A repository of the reporter's at one commit, as a link names it. */
export interface LinkedRepository {
  /** What git fetches from; only letters, digits and `._/:-`. */
  readonly url: string;
  /** All 40 hex digits: a branch or a short name may mean something else tomorrow. */
  readonly commit: string;
  /** The folder inside the repository; empty: its root. */
  readonly folder: string;
}

const TREE =
  /^(https:\/\/(?:github\.com|codeberg\.org|bitbucket\.org|gitlab\.com))\/([\w.-]+\/[\w.-]+)\/(?:-\/)?(?:tree|src\/commit|src)\/([0-9a-f]{40})((?:\/[\w.@-]+)*)\/?$/;
const GIST = /^https:\/\/gist\.github\.com\/(?:[\w-]+\/)?([0-9a-f]{20,40})\/([0-9a-f]{40})\/?$/;

/**
 * Reads a link to the files of a repository or a gist at one commit. null: anything else, such as a branch, a single file, a change,
 * or the product's own repository.
 */
export function linkedRepository(link: string, product: RepositoryName): LinkedRepository | null {
  const gist = GIST.exec(link);
  if (gist !== null)
    return { url: `https://gist.github.com/${gist[1]}.git`, commit: gist[2] ?? "", folder: "" };
  const [, host = "", name = "", commit = "", path = ""] = TREE.exec(link) ?? [];
  const folder = path.slice(1);
  if (name === "" || name.toLowerCase() === product.toLowerCase() || folder.split("/").includes(".."))
    return null;
  return { url: `${host}/${name}.git`, commit, folder };
}

/** Where the script puts the files, in the checkout. */
const FOLDER = "linked-reproduction";
/** The first of these scripts that its package.json has is started. */
const STARTED = ["reproduce", "reproduction", "repro", "test", "start"];

/**
 * A shell script that fetches the files, installs what they need without install scripts, puts the checkout in the place of the
 * installed product, and starts them. Only packages of JavaScript: the others end with a message and exit code 125.
 */
export function linkedScript({ url, commit, folder }: LinkedRepository): string {
  const choose = `const { scripts = {} } = require("./package.json"); process.stdout.write(${JSON.stringify(STARTED)}.find((name) => name in scripts) ?? "")`;
  return [
    "#!/bin/sh",
    "product=$(pwd -P)",
    `git init -q ${FOLDER} && cd ${FOLDER} || exit 125`,
    `git fetch -q --depth 1 ${url} ${commit} && git checkout -q FETCH_HEAD || exit 125`,
    ...(folder === "" ? [] : [`cd "${folder}" || exit 125`]),
    `[ -f package.json ] || { echo "no package.json at the linked commit" >&2; exit 125; }`,
    // What it prints has times in it, and runs are compared by what they print.
    `npm install --ignore-scripts --no-audit --no-fund >/dev/null 2>&1 || { echo "npm install failed at the linked commit" >&2; exit 125; }`,
    `name=$(node -p 'require(process.argv[1]).name || ""' "$product/package.json") || exit 125`,
    `if [ -n "$name" ]; then`,
    `  mkdir -p "node_modules/$(dirname "$name")" && rm -rf "node_modules/$name" && ln -s "$product" "node_modules/$name"`,
    "fi",
    `started=$(node -e '${choose}')`,
    `if [ -n "$started" ]; then exec npm run --silent "$started"; fi`,
    "exec node .",
    "",
  ].join("\n");
}
