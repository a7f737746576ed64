import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCsvLine } from "../src/csv.js";

test("splitCsvLine understands quotes", () => {
  assert.deepEqual(splitCsvLine('1,"Doe, Jane","say ""hi"""'), ["1", "Doe, Jane", 'say "hi"']);
});

test("splitCsvLine keeps an empty field in the middle", () => {
  assert.deepEqual(splitCsvLine("a,,c"), ["a", "", "c"]);
});
