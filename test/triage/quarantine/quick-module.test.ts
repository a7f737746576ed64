import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { COMPILED_FILE, compiledModule } from "../../support/quick-module.ts";

test("the committed filter equals the result of npm run quick:module (S8)", async () => {
  expect(await readFile(COMPILED_FILE, "utf8")).toBe(await compiledModule());
});
