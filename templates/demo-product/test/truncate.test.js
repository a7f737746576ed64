import assert from "node:assert/strict";
import { test } from "node:test";
import { truncate } from "../src/truncate.js";

test("truncate keeps short text", () => {
  assert.equal(truncate("hello", 5), "hello");
});

test("truncate counts the ellipsis", () => {
  assert.equal(truncate("hello world", 5), "hell…");
});
