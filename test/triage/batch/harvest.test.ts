import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StopRequested, type TriageAgent } from "../../../src/triage/index.ts";
import { type BatchStage, nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, waitFor } from "../../support/batch/in-process-agent.ts";

interface Ending {
  /** How the Triage Agent ends after it has changed its checkout. */
  end: (signal: AbortSignal, stage: BatchStage, stop: () => void) => unknown;
  status: string;
}

const ENDS: Record<string, Ending> = {
  success: { end: () => undefined, status: "applied" },
  failure: { end: () => Promise.reject(new Error("the Triage Agent broke")), status: "failed" },
  timeout: {
    end: (signal, { expire, settings }) => {
      expire((durationMs) => durationMs === settings.runDeadlineMs);
      return waitFor(signal);
    },
    status: "failed",
  },
  stop: {
    end: (signal, _stage, stop) => {
      stop();
      return waitFor(signal);
    },
    status: "skipped",
  },
};

test.concurrent.each(Object.keys(ENDS))(
  "the changes in a checkout are kept as a patch before its Coder workspace is destroyed: %s (O23)",
  async (name) => {
    const given = ENDS[name];
    if (given === undefined) throw new Error(name);
    await using stage = await openBatchStage();
    await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
    const controller = new AbortController();
    const stop = (): void => controller.abort(new StopRequested("stopped"));
    const summary = await stage.run({
      stop: controller.signal,
      ports: { triageAgent: editingAgent((signal) => given.end(signal, stage, stop)) },
    });
    const [issue] = summary.issues;
    expect(issue).toMatchObject({ status: given.status, workspace: { destroyed: true } });
    const patch = await readFile(issue?.artifacts.patch ?? "", "utf8");
    expect(patch).toContain("+export const first = () => undefined;");
    expect(patch).toContain("new file mode");
    expect(patch).toContain("+a note");
    expect(await stage.left()).toEqual(nothingLeft);
  },
);

/** A Triage Agent that changes one file of the checkout and adds another. */
function editingAgent(end: (signal: AbortSignal) => unknown): TriageAgent {
  return askingAgent(async (_, { files, signal }) => {
    await writeFile(join(files.checkout, "widget.mjs"), "export const first = () => undefined;\n");
    await writeFile(join(files.checkout, "notes.txt"), "a note\n");
    await end(signal);
  });
}
