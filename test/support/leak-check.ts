import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";

/**
 * Returns the prefix of every directory that a test creates in the temporary directory. It identifies the test run and comes from
 * the environment.
 */
export function testDirectoryPrefix(): string {
  return `${process.env["AFK_TEST_RUN"] ?? "afk-test-run-none"}-`;
}

/** Makes the whole test run fail if a test leaves a directory or a process behind (processes only on Linux). */
export default function setup(): () => void {
  const marker = `afk-test-run-${process.pid}`;
  process.env["AFK_TEST_RUN"] = marker;
  return () => {
    const directories = readdirSync(tmpdir()).filter((name) => name.startsWith(testDirectoryPrefix()));
    const processes = processesCarrying(`AFK_TEST_RUN=${marker}`);
    if (directories.length + processes.length === 0) return;
    throw new Error(
      `tests left behind: directories [${directories.join(", ")}], processes [${processes.join(", ")}]. ` +
        "Dispose what a test opens (await using) before it ends.",
    );
  };
}

function processesCarrying(entry: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, state, parent] =
          /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        // vitest's workers are children of this process and may still be exiting.
        if (state === "Z" || Number(parent) === process.pid || Number(pid) === process.pid) return false;
        return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry);
      } catch {
        return false;
      }
    })
    .map(
      (pid) => `${pid}: ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 120)}`,
    );
}
