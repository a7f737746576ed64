import { expect, test } from "vitest";
import { readEnvironment } from "../../src/config/index.ts";

test("only commas and line breaks separate marker keys: a passphrase is one key (S4)", () => {
  const check = (text: string, keys: string[]): void =>
    expect(readEnvironment({ AFK_TRIAGE_MARKER_KEY: text }).markerKeys).toEqual(keys);
  check("a marker key of this test", ["a marker key of this test"]);
  check("new-key, old key", ["new-key", "old key"]);
  check("new-key\nold-key\n", ["new-key", "old-key"]);
  check(" , ", []);
});
