import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PYTHON_ADAPTER, pythonAdapter } from "../support/python-adapter.ts";

test("the committed Python adapter equals the result of npm run python:layer (V2)", async () => {
  expect(await readFile(PYTHON_ADAPTER, "utf8")).toBe(await pythonAdapter());
});
