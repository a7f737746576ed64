import { describe, expect, test } from "vitest";
import { decided, honest, run } from "./honest-runs.ts";

describe("a script that makes a forbidden change tampers (V3, V10)", () => {
  test.each([
    [{ path: "src/index.js", type: "modified" as const }],
    [{ path: ".git/HEAD", type: "modified" as const }],
    [{ path: "node_modules/other/index.js", type: "added" as const }],
    [{ path: "node_modules", type: "added" as const }],
    [{ path: "node_modules/.pnpm/dep@1.0.0/node_modules/dep/index.js", type: "modified" as const }],
    [{ path: "node_modules/.store/dep@1.0.0/package/index.js", type: "modified" as const }],
    [{ path: "node_modules/.bin/tool", type: "modified" as const }],
    [{ path: "node_modules/.bin/tool", type: "deleted" as const }],
    [{ path: "node_modules/.pnpm/node_modules/dep", type: "added" as const }],
    [{ path: "src/__pycache__/a.cpython-311.pyc", type: "added" as const }],
    [{ path: "src/a.pyc", type: "added" as const }],
    [{ path: "node_modules/.vite/deps/sum.js", type: "modified" as const }],
    [{ path: "../count", type: "added" as const }],
    [{ path: "../.cache", type: "added" as const }],
    [{ path: "../__pycache__", type: "added" as const }],
    [{ path: "../.pytest_cache", type: "added" as const }],
    [{ path: "../count.pyc", type: "added" as const }],
    [{ path: "../pristine/src/__pycache__/a.pyc", type: "modified" as const }],
    [{ path: "../pristine/node_modules/.cache/x", type: "modified" as const }],
  ])("a run that changes %j tampers", (change) => {
    const changed = run("real", "got 1 for 2", 1, { changes: [change] });
    expect(decided([...honest, changed])).toMatchObject({ type: "tampering", paths: [change.path] });
  });

  test("a control that leaves a file beside its checkout tampers, and one that changes its own checkout does not", () => {
    for (const path of ["../count", "../.cache"]) {
      const leaving = run("deaf", "", 0, { changes: [{ path, type: "added" }] });
      expect(decided([...honest, leaving])).toMatchObject({ type: "tampering", paths: [path] });
    }
    const changing = run("absent", "gone", 1, { changes: [{ path: "a.js", type: "modified" }] });
    expect(decided([...honest, changing])).toEqual({ type: "verified" });
  });

  test.each([
    [{ path: "repro.test.js", type: "added" as const }],
    [{ path: "node_modules/.cache/x", type: "added" as const }],
    [{ path: "packages/a/node_modules/.vite/vitest/results.json", type: "modified" as const }],
    [{ path: "node_modules/.package-lock.json", type: "modified" as const }],
    [{ path: "node_modules/.pnpm/dep@1.0.0/node_modules/dep/node_modules/.cache/x", type: "added" as const }],
    [{ path: "node_modules/product", type: "linked" as const }],
    [{ path: "node_modules/.vite/deps/sum.js", type: "added" as const }],
    [{ path: ".pytest_cache/v/cache/lastfailed", type: "modified" as const }],
  ])("a run that makes %j does not tamper", (change) => {
    const changed = run("real", "got 1 for 2", 1, { changes: [change] });
    expect(decided([...honest, changed])).toEqual({ type: "verified" });
  });
});
