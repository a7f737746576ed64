import { systemIds } from "agent-tty/kit";
import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { echoLogOf, processOutput } from "../../src/cli/output/index.ts";
import { createBatchLog, createCanaryDetector } from "../../src/triage/index.ts";

const FOREIGN = "the Triage Agent's screen: ##[set-output name=applied]99 \u009b2J\u202eevil";

test.each([false, true])(
  "untrusted text in a log line that --verbose prints is inert; --json: %s (S10, S23)",
  (asJson) => {
    let shown = "";
    const write = (text: string | Uint8Array): boolean => {
      shown += String(text);
      return true;
    };
    const stream = { write, isTTY: true, columns: 80 };
    const output = processOutput({ asJson }, { stdout: stream, stderr: stream, env: {} });
    const clock = createVirtualClock();
    using log = createBatchLog({
      runsDirectory: null,
      clock,
      ids: systemIds(clock),
      canaries: createCanaryDetector([]),
      echo: echoLogOf({ output, isVerbose: true }),
    });
    log.observe({ type: "warning", message: FOREIGN });
    expect(shown).not.toMatch(/##\[|[\u0080-\u009f\u202e]/);
    expect(JSON.parse(shown)).toMatchObject({ level: "warn", event: "warning", message: FOREIGN });
    expect(echoLogOf({ output })).toBeNull();
  },
);
