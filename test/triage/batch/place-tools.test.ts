import { expect, test, vi } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { providerWithExec } from "../../support/batch/provider-with-exec.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

test.each([
  ["timeout() { return 1; }", "timeout of GNU coreutils and findutils is missing"],
  [
    "timeout() { return 1; }; find() { return 127; }",
    "timeout, find of GNU coreutils and findutils are missing",
  ],
])(
  "in a place without the GNU tools, the verification is impossible rather than a run that does not show the bug (V3): %s",
  async (tools, said) => {
    await using stage = await openBatchStage();
    const ref = await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
    const provider = providerWithExec(
      stage.ports.provider,
      (exec) => (commandLine, options) =>
        exec(commandLine.includes("/proc/meminfo") ? `${tools}\n${commandLine}` : commandLine, options),
    );
    const { issues } = await stage.run({ ports: { provider } });
    expect(issues).toMatchObject([
      { status: "applied", outcome: "needs-triage", policy: ["verification-impossible"], evidence: null },
    ]);
    const [comment] = await stage.github.reader.comments(ref, new AbortController().signal);
    expect(comment?.body).toContain(said);
  },
);

test("in a place without room for a checkout, the verification is impossible rather than a run that does not show the bug (V3)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  const full = 'cp() { echo "cp: error writing: No space left on device" >&2; return 1; }';
  const provider = providerWithExec(
    stage.ports.provider,
    (exec) => (commandLine, options) =>
      exec(commandLine.includes("cp -a --reflink") ? `${full}\n${commandLine}` : commandLine, options),
  );
  const { issues } = await stage.run({ ports: { provider } });
  expect(issues).toMatchObject([
    { status: "applied", outcome: "needs-triage", policy: ["verification-impossible"], evidence: null },
  ]);
  const [comment] = await stage.github.reader.comments(ref, new AbortController().signal);
  expect(comment?.body).toContain(
    "the checkout could not be copied (cp: error writing: No space left on device)",
  );
});
