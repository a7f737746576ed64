import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slug.js";

test("slugify joins words with hyphens", () => {
  assert.equal(slugify("Hello, World!"), "hello-world");
});

test("slugify removes hyphens at both ends", () => {
  assert.equal(slugify("--Release notes--"), "release-notes");
});
