/** The test frameworks that a reproduction is written for. */
export type TestFramework =
  | "node:test"
  | "vitest"
  | "jest"
  | "mocha"
  | "ava"
  | "tap"
  | "pytest"
  | "go test"
  | "cargo test"
  | "JUnit";

export interface ManifestFacts {
  /** Names in the root of the checkout. */
  files: readonly string[];
  /** Text of package.json; empty: there is none. */
  packageJson: string;
}

const MANIFESTS: readonly (readonly [TestFramework, RegExp])[] = [
  ["cargo test", /^Cargo\.toml$/],
  ["go test", /^go\.mod$/],
  ["JUnit", /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/],
  ["pytest", /^(?:pyproject\.toml|pytest\.ini|setup\.(?:py|cfg)|tox\.ini|requirements\.txt)$/],
];

const OF_JAVASCRIPT: ReadonlySet<TestFramework> = new Set([
  "node:test",
  "vitest",
  "jest",
  "mocha",
  "ava",
  "tap",
]);

/** Whether its tests run on Node.js, so that node:test can stand in for it. */
export function isOfJavascript(framework: TestFramework): boolean {
  return OF_JAVASCRIPT.has(framework);
}

/** The framework that a repository's manifest names; null: none is known. A package.json without any gets node:test. */
export function frameworkOf({ files, packageJson }: ManifestFacts): TestFramework | null {
  if (files.includes("package.json")) {
    const parts = testParts(packageJson);
    const named = (["vitest", "jest", "mocha"] as const).find((name) =>
      new RegExp(`"${name}"\\s*:|\\b${name}\\b`).test(parts),
    );
    // These names are also words: `node --test-reporter=tap` is none of theirs.
    return named ?? (["ava", "tap"] as const).find((name) => parts.includes(`"${name}":`)) ?? "node:test";
  }
  return MANIFESTS.find(([, name]) => files.some((file) => name.test(file)))?.[0] ?? null;
}

/** The scripts and dependencies of a package.json as text; empty when it cannot be read. */
function testParts(packageJson: string): string {
  try {
    const { scripts, devDependencies, dependencies } = JSON.parse(packageJson) as Record<string, unknown>;
    const { test } = (scripts ?? {}) as { test?: unknown };
    return JSON.stringify({ test, devDependencies, dependencies });
  } catch {
    return "";
  }
}
