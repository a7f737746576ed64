import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isNameUnderPrefix,
  isWorkspaceName,
  verificationName,
  workspaceName,
  workspaceNamePrefixes,
} from "../../src/workspaces/index.ts";

const segment = fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/);
const repo = fc.tuple(segment, segment).map((parts) => parts.join("/"));
const number = fc.integer({ min: 1, max: 99_999_999 });
const prefix = fc.option(segment, { nil: null });

describe("workspaceName (T3)", () => {
  const check = (input: Parameters<typeof workspaceName>[0], expected: string) =>
    test(`${input.repo}#${input.number} with prefix ${input.prefix} is ${expected}`, () =>
      expect(workspaceName(input)).toBe(expected));

  check({ repo: "octo/product", number: 7, prefix: null }, "product-triage-7");
  check({ repo: "octo/My_Product.js", number: 12, prefix: null }, "my-product-js-triage-12");
  check({ repo: "octo/--x--", number: 1, prefix: null }, "x-triage-1");
  check({ repo: "octo/...", number: 1, prefix: null }, "repo-triage-1");
  check({ repo: "octo/product", number: 7, prefix: "Night Shift" }, "night-shift-7");
  check({ repo: "octo/exactly-23-characters12", number: 42, prefix: null }, "exactly-23-c-a303883f-42");
  check({ repo: "octo/twenty-two-characters-", number: 4, prefix: null }, "twenty-two-characters-triage-4");

  test("workspaceName follows Coder's rule for names, whatever the repository is called", () => {
    const law = fc.property(repo, number, prefix, (repo, number, prefix) =>
      isWorkspaceName(workspaceName({ repo, number, prefix })),
    );
    expect(counterexample(law)).toBeNull();
  });

  test("workspaceName never gives two issues of a repository the same name", () => {
    const law = fc.property(repo, number, number, prefix, (repo, one, other, prefix) => {
      fc.pre(one !== other);
      return workspaceName({ repo, number: one, prefix }) !== workspaceName({ repo, number: other, prefix });
    });
    expect(counterexample(law)).toBeNull();
  });

  test("workspaceName never gives the same name to two repositories whose names are truncated", () => {
    const law = fc.property(segment, segment, fc.integer({ min: 1, max: 99 }), (owner, end, number) => {
      const long = `${owner}/a-name-that-is-far-too-long-for-a-lock`;
      const names = [long, `x${long}`, `${long}${end}`].map((repo) =>
        workspaceName({ repo, number, prefix: null }),
      );
      return new Set(names).size === names.length;
    });
    expect(counterexample(law)).toBeNull();
  });

  test("workspaceName is always found under the prefixes that are passed to list (S15)", () => {
    const law = fc.property(repo, number, prefix, (repo, number, prefix) =>
      workspaceNamePrefixes({ repo, prefix }).some((namePrefix) =>
        isNameUnderPrefix(workspaceName({ repo, number, prefix }), namePrefix),
      ),
    );
    expect(counterexample(law)).toBeNull();
  });

  test.each([0, -1, 1.5, Number.NaN, 100_000_000])("%d is not a valid issue number", (number) => {
    expect(() => workspaceName({ repo: "octo/product", number, prefix: null })).toThrow(
      "not an issue number",
    );
  });
});

describe("verificationName (V1)", () => {
  const check = (input: Parameters<typeof verificationName>[0], expected: string) =>
    test(`${input.repo}#${input.number} with prefix ${input.prefix} is ${expected}`, () =>
      expect(verificationName(input)).toBe(expected));

  check({ repo: "octo/product", number: 7, prefix: null }, "product-triage-7-v");
  // The lock's name has 31 characters, and two more would be too many.
  check({ repo: "octo/twenty-two-characters-", number: 42, prefix: null }, "twenty-two-c-1079f2cb-42-v");

  test("verificationName follows Coder's rule for names, whatever the repository is called (V1)", () => {
    const law = fc.property(repo, number, prefix, (repo, number, prefix) =>
      isWorkspaceName(verificationName({ repo, number, prefix })),
    );
    expect(counterexample(law)).toBeNull();
  });

  test("verificationName is never the name of a lock or of another issue's verification (V1, T3)", () => {
    const law = fc.property(repo, number, number, prefix, (repo, one, other, prefix) => {
      fc.pre(one !== other);
      const name = verificationName({ repo, number: one, prefix });
      const others = [workspaceName, verificationName].map((of) => of({ repo, number: other, prefix }));
      return ![workspaceName({ repo, number: one, prefix }), ...others].includes(name);
    });
    expect(counterexample(law)).toBeNull();
  });

  test("verificationName is always found under the prefixes that are passed to list (S15)", () => {
    const law = fc.property(repo, number, prefix, (repo, number, prefix) =>
      workspaceNamePrefixes({ repo, prefix }).some((namePrefix) =>
        isNameUnderPrefix(verificationName({ repo, number, prefix }), namePrefix),
      ),
    );
    expect(counterexample(law)).toBeNull();
  });
});

describe("isNameUnderPrefix (S15)", () => {
  const check = (name: string, prefix: string, expected: boolean) =>
    test(`${name} is ${expected ? "" : "not "}under ${prefix}`, () =>
      expect(isNameUnderPrefix(name, prefix)).toBe(expected));

  check("x-triage-1", "x-triage", true);
  check("x-triage-10", "x-triage", true);
  check("x-triage-10", "x-triage-1", false);
  check("x-triage", "x-triage", false);
  check("x-triage-1-triage-2", "x-triage", false);
  check("xx-triage-1", "x-triage", false);
  check("x-triage-1x", "x-triage", false);
  check("x-triage-1-v", "x-triage", true);
  check("x-triage-1-v-v", "x-triage", false);
  check("x-triage-v", "x-triage", false);
});

describe("isWorkspaceName", () => {
  const check = (name: string, expected: boolean) =>
    test(`${JSON.stringify(name)} is ${expected}`, () => expect(isWorkspaceName(name)).toBe(expected));

  check("a-1", true);
  check("a".repeat(32), true);
  check("a".repeat(33), false);
  check("", false);
  check("A", false);
  check("a--b", false);
  check("-a", false);
  check("../a", false);
  check(".creating", false);
  check("new", false);
  check("create", false);
});

function counterexample<T>(law: fc.IProperty<T>): T | null {
  return fc.check(law).counterexample;
}
