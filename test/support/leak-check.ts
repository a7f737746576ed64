import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { systemClock } from "agent-tty/kit";

/**
 * Returns the prefix of every directory that a test creates in the temporary directory. It identifies the test run and comes from
 * the environment.
 */
export function testDirectoryPrefix(): string {
  return `${process.env["AFK_TEST_RUN"] ?? "afk-test-run-none"}-`;
}

/** How long what is ending may take on a busy machine: esbuild's service, for example, ends after the worker that uses it. */
const PATIENCE_MS = 30_000;
const POLL_MS = 100;

/** Makes the whole test run fail if a test leaves a directory or a process behind (processes only on Linux). */
export default function setup(): () => Promise<void> {
  const marker = `afk-test-run-${process.pid}`;
  process.env["AFK_TEST_RUN"] = marker;
  const leftBehind = () => ({
    directories: readdirSync(tmpdir()).filter((name) => name.startsWith(testDirectoryPrefix())),
    processes: processesCarrying(`AFK_TEST_RUN=${marker}`),
  });
  return async () => {
    const endsMs = systemClock.monotonicMs() + PATIENCE_MS;
    let { directories, processes } = leftBehind();
    while (directories.length + processes.length > 0 && systemClock.monotonicMs() < endsMs) {
      await systemClock.sleep(POLL_MS);
      ({ directories, processes } = leftBehind());
    }
    if (directories.length + processes.length === 0) return;
    // vitest prints the error of a teardown and exits with 0.
    process.exitCode = 1;
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
