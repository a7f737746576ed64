import assert from "node:assert/strict";
import { test } from "node:test";
import { createCache } from "../src/cache.js";

test("createCache drops the oldest entry", () => {
  const cache = createCache({ limit: 2 });
  cache.set("a", 1);
  cache.set("b", 2);
  cache.set("c", 3);
  assert.equal(cache.get("a"), undefined);
  assert.equal(cache.size, 2);
});
