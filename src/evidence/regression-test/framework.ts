/** The test frameworks for which a reproduction can be written. */
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
  /** Names of the files in the checkout's root. */
  files: readonly string[];
  /** The text of package.json; empty: there is none. */
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

/** Returns whether the framework's tests run on Node.js, so that node:test can replace it. */
export function isOfJavascript(framework: TestFramework): boolean {
  return OF_JAVASCRIPT.has(framework);
}

/**
 * Returns the framework that a repository's manifest names, or node:test for a package.json that names none. null: no framework
 * is known.
 */
export function frameworkOf({ files, packageJson }: ManifestFacts): TestFramework | null {
  if (files.includes("package.json")) {
    const parts = testParts(packageJson);
    const named = (["vitest", "jest", "mocha"] as const).find((name) =>
      new RegExp(`"${name}"\\s*:|\\b${name}\\b`).test(parts),
    );
    // These names are also ordinary words: `node --test-reporter=tap` does not mean the framework.
    return named ?? (["ava", "tap"] as const).find((name) => parts.includes(`"${name}":`)) ?? "node:test";
  }
  return MANIFESTS.find(([, name]) => files.some((file) => name.test(file)))?.[0] ?? null;
}

/** Returns the test script and the dependencies of a package.json as text; empty if the file cannot be parsed. */
function testParts(packageJson: string): string {
  try {
    const { scripts, devDependencies, dependencies } = JSON.parse(packageJson) as Record<string, unknown>;
    const { test } = (scripts ?? {}) as { test?: unknown };
    return JSON.stringify({ test, devDependencies, dependencies });
  } catch {
    return "";
  }
}
