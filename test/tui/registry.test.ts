import { expect, test } from "vitest";
import { type DetectorProfile, resolveProfile, TESTED_VERSIONS, type Version } from "../../src/tui/index.ts";

function profile(name: string, floor: Version | null, testedBelow: Version | null): DetectorProfile {
  const create = (): never => {
    throw new Error("not created here");
  };
  return { family: "claude_code", name, floor, testedBelow, create };
}

const tools = {
  claude: [
    profile("fallback", null, null),
    profile("2.1.x", [2, 1, 0], [2, 2, 0]),
    profile("3.4.x", [3, 4, 0], [3, 5, 0]),
  ],
};

function check(
  tool: string,
  observedVersion: string | null,
  expected: [name: string, extrapolated: boolean],
): void {
  const { profile: found, profileExtrapolated } = resolveProfile({ tool, observedVersion }, tools);
  expect([found.name, profileExtrapolated]).toEqual(expected);
}

test("a version gets the profile with the closest floor at or below it (H6, H7)", () => {
  check("claude", "2.1.81 (Claude Code)", ["2.1.x", false]);
  check("claude", "2.1.0", ["2.1.x", false]);
  check("claude", "2.1", ["2.1.x", false]);
  check("claude", "3.4.9", ["3.4.x", false]);
  check("claude", "claude-code/3.4.0-beta", ["3.4.x", false]);
});

test("a result outside the tested range is marked extrapolated (H7)", () => {
  check("claude", "2.2.0", ["2.1.x", true]);
  check("claude", "3.3.9", ["2.1.x", true]);
  check("claude", "9.0.0", ["3.4.x", true]);
  check("claude", "2.0.60", ["fallback", true]);
  check("claude", null, ["fallback", true]);
  check("claude", "nightly", ["fallback", true]);
});

test.each(["claude", "codex"] as const)(
  "the newest recorded version of %s is not marked extrapolated (H7)",
  (tool) => {
    const newest = resolveProfile({ tool, observedVersion: TESTED_VERSIONS[tool].at(-1) ?? null });
    expect(newest.profileExtrapolated).toBe(false);
  },
);

test("any other tool is unsupported (H6, H11)", () => {
  check("some_new_tool", "1.0.0", ["builtin", true]);
  check("constructor", "1.0.0", ["builtin", true]);
});

test("a profile can be requested by name, and an unknown name is refused (H7)", () => {
  const ask = (name: string): ReturnType<typeof resolveProfile> =>
    resolveProfile({ tool: "claude", observedVersion: "3.4.1", profile: name }, tools);
  expect(ask("2.1.x").profile.name).toBe("2.1.x");
  expect(ask("2.1.x").profileExtrapolated).toBe(true);
  expect(() => ask("2.1")).toThrow(expect.objectContaining({ code: "TUI_PROFILE_UNKNOWN" }));
});
