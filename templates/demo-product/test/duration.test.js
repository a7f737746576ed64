import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "../src/duration.js";

test("parseDuration adds its parts", () => {
  assert.equal(parseDuration("2h 30m"), 9_000_000);
  assert.equal(parseDuration("90s"), 90_000);
});

test("parseDuration refuses other text", () => {
  assert.throws(() => parseDuration("soon"), RangeError);
});
