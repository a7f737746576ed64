import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The files that dist may contain: bundles, and the engine's files next to them. */
const DIST = [
  /^dist\/[\w-]+\.c?js$/,
  /^dist\/THIRD-PARTY-NOTICES\.md$/,
  /^dist\/man\/afk-triage\.1$/,
  /^dist\/bin\/[\w-]+\.cjs$/,
  /^dist\/fonts\/[\w.-]+\.(?:ttf|ttc|otf|woff2|txt|md)$/,
  /^dist\/fonts\/(?:NOTICE|[\w.-]*LICENSE[\w.-]*)$/,
  /^dist\/player\/asciinema-player(?:\.min\.js|\.css)$/,
  /^dist\/board\/[\w.-]+\.(?:js|css|html|svg|woff2)(?:\.br|\.gz)?$/,
];
const REQUIRED = [
  "dist/man/afk-triage.1",
  "dist/bin/afk-triage.cjs",
  "dist/bin/agent-tty.cjs",
  "dist/afk-triage.js",
  "dist/afk-triage-main.cjs",
  "dist/bin/afk-triage-load.cjs",
  "dist/agent-tty.js",
  "dist/agent-tty-client.cjs",
  "dist/bin/agent-tty-load.cjs",
  "dist/agent-tty-host.cjs",
  "dist/coder-terminal.js",
  "dist/cleaning-program.js",
];
const DATA = [".github/actions/", "coder/", "skills/", "templates/"];
const PAGES = new Set(["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
const NEVER =
  /(?:^|\/)(?:\.env|\.npmrc|\.git\/|node_modules\/|[^/]*\.(?:pem|key|tsbuildinfo|map|test\.ts)$|src\/[^/]+\.ts$)/;

/**
 * Returns the problems of a package's files: unexpected files, missing files, and files that contain a secret. `tracked`: all
 * files of the repository. `isBuilt`: whether dist is expected in it.
 */
export function packageProblems(
  files: readonly string[],
  tracked: readonly string[],
  isBuilt: boolean,
): string[] {
  const expected = tracked.filter(
    (path) => PAGES.has(path) || DATA.some((folder) => path.startsWith(folder)),
  );
  const [dist, data] = [files.filter(isDist), files.filter((path) => !isDist(path))];
  return [
    ...data
      .filter((path) => !expected.includes(path))
      .map((path) => `${path} does not belong into the package`),
    ...expected.filter((path) => !files.includes(path)).map((path) => `${path} is missing`),
    ...dist
      .filter((path) => !DIST.some((pattern) => pattern.test(path)))
      .map((path) => `${path} is no part of dist`),
    ...(isBuilt ? REQUIRED.filter((path) => !files.includes(path)).map((path) => `${path} is missing`) : []),
    ...files.filter((path) => NEVER.test(path)).map((path) => `${path} must never be published`),
  ];
}

function isDist(path: string): boolean {
  return path.startsWith("dist/");
}

/**
 * This pattern is narrower than the redaction of texts, because bundled code contains many words that only look like an
 * assignment of a secret.
 */
const SECRET =
  /gh[a-z]_[A-Za-z0-9]{36}|github_pat_\w{22}|npm_[A-Za-z0-9]{36}|sk-ant-[\w-]{20}|AKIA[0-9A-Z]{16}|-----BEGIN[A-Z ]* PRIVATE KEY-----\s+[\w+/=]{40}/;

/** Returns the files that contain something in the form of a token or a private key. */
export function filesWithSecrets(directory: string, files: readonly string[]): string[] {
  return files.filter((path) => SECRET.test(readFileSync(join(directory, path), "latin1")));
}
