import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withLock } from "../src/lock.js";

const home = mkdtempSync(join(tmpdir(), "tidytext-"));
process.env.HOME = home;
after(() => rmSync(home, { recursive: true, force: true }));

test("withLock refuses a lock that is held", async () => {
  mkdirSync(join(home, ".tidytext"));
  writeFileSync(join(home, ".tidytext", "report.lock"), "another process\n");
  await assert.rejects(
    withLock("report", () => 1),
    /report is locked/,
  );
});
