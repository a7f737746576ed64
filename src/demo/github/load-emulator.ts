import { OperationalError } from "agent-tty/kit";
import type { DemoErrorCode } from "../demo-error.ts";

type EmulatorLibrary = typeof import("emulate");

/** The optional peer dependency of package.json, as it is installed beside afk-triage. */
const PACKAGE = "emulate@0.11";

/**
 * Loads the emulated GitHub. Only the demo needs it, so it is an optional dependency. Rejects with DEMO_PACKAGE_MISSING when it
 * is not installed.
 */
export async function loadEmulator(): Promise<EmulatorLibrary> {
  try {
    return await import("emulate");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new OperationalError<DemoErrorCode>({
      code: "DEMO_PACKAGE_MISSING",
      message:
        "cannot start the demo: its emulated GitHub is the package emulate, which is not installed beside afk-triage",
      remedy: `Install it where afk-triage is (npm install ${PACKAGE}, with --global for a global installation), then start the demo again. A clone of the repository has it: npm ci && npm run demo.`,
      cause: error,
    });
  }
}
