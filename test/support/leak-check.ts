import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";

/** Every directory a test makes under the temporary directory starts with this: the run it belongs to, told by the environment. */
export function testDirectoryPrefix(): string {
  return `${process.env["AFK_TEST_RUN"] ?? "afk-test-run-none"}-`;
}

/** The whole test run fails when a test leaves a directory or a process behind. Linux only for processes. */
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
        // vitest's workers are children of this process and may still be on their way out.
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
