import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a temporary directory for the test run with ext4's flag T, which spreads its subdirectories over the disk. Otherwise
 * all are in one block group, where the search for a free inode passes every inode that was deleted in the last seconds. 12 tests
 * of verifications took 58 and 68 instead of 68 and 75 s of processor time. On other file systems nothing changes.
 */
export default function setup(): (() => void) | undefined {
  const before = process.env["TMPDIR"];
  // A name with digits or capitals can look random. In the address of a database, such a path counts as a secret of the parent
  // (S25), and every path that a Triage Agent prints holds it.
  const letters = Array.from({ length: 10 }, () => String.fromCodePoint(97 + randomInt(26)));
  const directory = join(tmpdir(), `afk-${letters.join("")}`);
  mkdirSync(directory, { mode: 0o700 });
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  if (spawnSync("chattr", ["+T", directory]).status !== 0) {
    remove();
    return undefined;
  }
  // The mode is that of /tmp, because PostgreSQL and some tests run as other users.
  chmodSync(directory, 0o1777);
  process.env["TMPDIR"] = directory;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    remove();
  };
}
