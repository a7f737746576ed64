import { expect, test } from "vitest";
import { resolveProfile } from "../../../src/tui/index.ts";

function check(observedVersion: string | null, name: string, isExtrapolated: boolean): void {
  const { profile, profileExtrapolated } = resolveProfile({ tool: "codex", observedVersion });
  expect([profile.family, profile.name, profileExtrapolated]).toEqual(["codex_tui", name, isExtrapolated]);
}

test("each version of Codex gets the closest profile at or below it (H6, H7)", () => {
  check("codex-cli 0.116.4", "0.116.x", false);
  check("0.120.0", "0.116.x", true);
  check("0.144.1", "0.144.x", false);
  check("0.145.0", "0.144.x", true);
  check("codex-cli 0.169.0", "0.169.x", false);
  check("codex-cli 0.171.0", "0.169.x", false);
  check("0.172.0", "0.169.x", true);
  check("0.115.9", "fallback", true);
  check(null, "fallback", true);
});
