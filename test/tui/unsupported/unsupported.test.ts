import { expect, test } from "vitest";
import { resolveProfile } from "../../../src/tui/index.ts";
import { ansiScreen } from "../../support/tui-recordings/index.ts";

test("an unsupported tool proves nothing, whatever its screen shows (H11)", () => {
  const { profile } = resolveProfile({ tool: "some_new_tool", observedVersion: "1.0.0" });
  expect([profile.family, profile.name]).toEqual(["unsupported_tool", "builtin"]);
  for (const text of ["› ", "• Working (3s • esc to interrupt)", "Do you trust this folder?\n› 1. Yes", "$ "])
    expect(profile.create().detect(ansiScreen(text), 0)).toEqual({
      surface: { type: "other" },
      acceptingInput: "unknown",
      editingInput: "unknown",
      readyPosture: "unknown",
      pendingInput: "unknown",
      activeReasons: [],
      ending: null,
      currentError: null,
      evidence: [],
    });
});
