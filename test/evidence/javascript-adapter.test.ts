import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { JAVASCRIPT_ADAPTER, javascriptAdapter } from "../support/javascript-adapter.ts";

test("the committed JavaScript adapter equals the result of npm run javascript:layer (V2)", async () => {
  expect(await readFile(JAVASCRIPT_ADAPTER, "utf8")).toBe(await javascriptAdapter());
});
