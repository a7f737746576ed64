import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  createCanaryDetector,
  createSessionCleaner,
  parentSecrets,
  type TriageAgent,
} from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { summarySchema } from "../../support/batch/summary-schema.ts";

vi.setConfig({ testTimeout: 180_000 });

const deny = (host: string): string => `level=WARN msg=DENY method=GET url=https://${host}/ host=${host}\n`;

/** A Triage Agent whose requests to these hosts the firewall denies. */
function deniedAgent(directory: string, hosts: readonly string[]): TriageAgent {
  return askingAgent(async () => {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "boundary-1.log"), hosts.map(deny).join(""));
  });
}

test.concurrent("the summary contains the requests that the Agent Firewall denied", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const firewallLog = join(stage.directory, "firewall");
  const triageAgent = deniedAgent(firewallLog, ["evil.example", "evil.example", "other.example"]);
  const summary = await stage.run({ ports: { triageAgent }, settings: { firewallLog } });
  summarySchema.parse(JSON.parse(JSON.stringify(summary)));
  expect(summary.issues).toMatchObject([
    { status: "applied", deniedRequests: { count: 3, hosts: ["evil.example", "other.example"] } },
  ]);
  expect(stage.warnings()).toEqual([]);
});

test.concurrent("the gateway's count is used if the log in the Coder workspace was removed", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const asking = askingAgent();
  const summary = await stage.run({
    ports: {
      triageAgent: {
        ...asking,
        run: async (context) => ({ ...(await asking.run(context)), modelSessions: ["a-session"] }),
      },
      modelMeter: { read: async () => ({ inputTokens: 1, outputTokens: 1, usd: 1, deniedRequests: 7 }) },
    },
    settings: { firewallLog: join(stage.directory, "nothing-there") },
  });
  expect(summary.issues).toMatchObject([{ status: "applied", deniedRequests: { count: 7, hosts: [] } }]);
});

test.concurrent("without a configured log, no command reads one, and nothing is reported", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const triageAgent = deniedAgent(join(stage.directory, "firewall"), ["evil.example"]);
  const summary = await stage.run({ ports: { triageAgent } });
  expect(summary.issues).toMatchObject([{ status: "applied", deniedRequests: null }]);
});

test.concurrent("a secret of the parent in a denied host fails the run, and neither summary nor comment contains it (S8)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "a bug", labels: ["needs-triage"] });
  const secret = "ghosecretofthisparent1234567890";
  const canaries = createCanaryDetector(parentSecrets({ GITHUB_TOKEN: secret }));
  const firewallLog = join(stage.directory, "firewall");
  const summary = await stage.run({
    ports: {
      triageAgent: deniedAgent(firewallLog, [`${secret}.evil.example`]),
      canaries,
      cleaner: createSessionCleaner(canaries),
    },
    settings: { firewallLog },
  });
  expect(summary.issues).toMatchObject([{ status: "failed", error: { code: "SECRET_LEAKED" } }]);
  expect(JSON.stringify(summary)).not.toContain(secret);
  const comments = await stage.github.reader.comments(
    { repo: stage.github.repo, number: 1 },
    new AbortController().signal,
  );
  expect(comments).toEqual([]);
});
