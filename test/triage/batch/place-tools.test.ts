import { expect, test, vi } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";

// Real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

test.each([
  ["timeout() { return 1; }", "timeout of GNU coreutils and findutils is missing"],
  [
    "find() { return 1; }; sha256sum() { return 127; }",
    "find, sha256sum of GNU coreutils and findutils are missing",
  ],
])(
  "a place whose tools are not those of GNU checks no reproduction, instead of not showing the bug (V3): %s",
  async (tools, said) => {
    await using stage = await openBatchStage();
    const ref = await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
    const { provider } = stage.ports;
    const create: typeof provider.create = async (request, signal) => {
      const created = await provider.create(request, signal);
      if (created.type !== "created") return created;
      const { workspace } = created;
      const ready: typeof workspace.ready = async (...call) => {
        const found = await workspace.ready(...call);
        const exec: typeof found.exec = (commandLine, options) =>
          found.exec(
            commandLine.includes("/proc/meminfo") ? `${tools}\n${commandLine}` : commandLine,
            options,
          );
        return { ...found, exec };
      };
      return { ...created, workspace: { ...workspace, ready } };
    };
    const { issues } = await stage.run({ ports: { provider: { ...provider, create } } });
    expect(issues).toMatchObject([
      { status: "applied", outcome: "needs-triage", policy: ["verification-impossible"], evidence: null },
    ]);
    const [comment] = await stage.github.reader.comments(ref, new AbortController().signal);
    expect(comment?.body).toContain(said);
  },
);
