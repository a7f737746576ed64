import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { IssueRef } from "../../../src/github/index.ts";
import { worldPeople } from "../../support/github/github-world.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";

vi.setConfig({ testTimeout: 120_000 });

const DETAIL = "send-percent-zero-zero-to-admin";
const security = { level: "confirmed", kind: DETAIL } as const;

/** Returns every file below a directory that contains the detail. */
async function filesWithDetail(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(paths.map(async (path) => [path, await readFile(path, "latin1")] as const));
  return texts.filter(([, text]) => text.includes(DETAIL)).map(([path]) => path);
}

async function commentsOf({ github }: BatchStage, ref: IssueRef): Promise<string[]> {
  return (await github.reader.comments(ref, new AbortController().signal)).map(({ body }) => body);
}

test.each([
  ["its title", { title: `Path traversal vulnerability: ${DETAIL}` }, null],
  ["its body", { title: "It breaks", body: `The login works with an empty password. ${DETAIL}` }, null],
  ["a label", { title: "It breaks", body: DETAIL, labels: ["needs-triage", "security"] }, null],
  ["a comment of the reporter", { title: "It breaks" }, `I can read other users' messages: ${DETAIL}`],
])(
  "a vulnerability report that is recognised by %s needs no Coder workspace (S16)",
  async (_, report, comment) => {
    await using stage = await openBatchStage();
    const ref = await stage.github.createIssue({ labels: ["needs-triage"], ...report });
    if (comment !== null) await stage.github.comment(ref, worldPeople.reporter, comment);
    const created = vi.fn();
    const provider = { ...stage.provider, create: created };
    const summary = await stage.run({ ports: { provider, triageAgent: forbiddenAgent } });
    expect(summary.issues[0]).toMatchObject({
      status: "applied",
      outcome: "ready-for-human",
      policy: ["security-report"],
      workspace: null,
    });
    expect(created).not.toHaveBeenCalled();
    const ours = (await commentsOf(stage, ref)).filter((body) => body.includes("privately"));
    expect(ours).toHaveLength(1);
    expect(`${ours.join()}${JSON.stringify([summary, stage.events])}`).not.toContain(DETAIL);
    expect(await filesWithDetail(stage.directory)).toEqual([]);
  },
);

test("no Triage Agent starts if the reporter adds a vulnerability report while the Coder workspace is created (S16)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  const provider: typeof stage.provider = Object.assign(
    Object.create(stage.provider) as typeof stage.provider,
    {
      create: async (...args: Parameters<typeof stage.provider.create>) => {
        await stage.github.comment(ref, worldPeople.reporter, `I can read other users' messages: ${DETAIL}`);
        return stage.provider.create(...args);
      },
    },
  );
  const summary = await stage.run({ ports: { provider, triageAgent: forbiddenAgent } });
  expect(summary.issues[0]).toMatchObject({ status: "applied", policy: ["security-report"] });
});

test("nothing is left of a vulnerability that only the Triage Agent's field reports (S16)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  const triageAgent = proposingAgent({ security, summary: DETAIL }, async (_, { session, signal }) => {
    await session.run(`echo ${DETAIL}`, { callerTimeoutMs: 60_000, signal });
  });
  const summary = await stage.run({ ports: { triageAgent } });
  expect(summary.issues[0]).toMatchObject({ status: "applied", policy: ["security-report"] });
  expect(Object.values(summary.issues[0]?.artifacts ?? {})).toEqual([null, null, null, null, null, null]);
  expect((await commentsOf(stage, ref)).join()).not.toContain(DETAIL);
  expect(JSON.stringify([summary, stage.events])).not.toContain(DETAIL);
  expect(await filesWithDetail(stage.directory)).toEqual([]);
});

test("security.keepEvidence: private keeps the evidence in the operator's directory, and nowhere else (S16)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  const privateEvidence = join(stage.directory, "private");
  const triageAgent = proposingAgent({ security, summary: DETAIL });
  await stage.run({ ports: { triageAgent }, settings: { privateEvidence } });
  const found = await filesWithDetail(stage.directory);
  expect(found.length).toBeGreaterThan(0);
  for (const path of found) expect(path.startsWith(privateEvidence)).toBe(true);
});

test("security.keepEvidence: private masks token-shaped strings in the Sessions that it keeps (S16, S18)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  const privateEvidence = join(stage.directory, "private");
  const token = `ghp_${"a1B2c3D4".repeat(5)}`.slice(0, 40);
  const triageAgent = proposingAgent({ security, summary: DETAIL }, async (_, { session, signal }) => {
    await session.run(`echo ${DETAIL} ${token}`, { callerTimeoutMs: 60_000, signal });
  });
  await stage.run({ ports: { triageAgent }, settings: { privateEvidence } });
  const outputs = (await filesWithDetail(privateEvidence)).filter((path) => path.endsWith(".bin"));
  expect(outputs).not.toEqual([]);
  for (const path of outputs) expect(await readFile(path, "latin1")).not.toContain(token);
});

test("nothing is left of a vulnerability in an outcome without the field security (S16)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  const unstated: object = { security: undefined };
  const summary = `The login works with an empty password: ${DETAIL}`;
  const triageAgent = proposingAgent({ summary, ...unstated }, async (_, { session, signal }) => {
    await session.run(`echo ${DETAIL}`, { callerTimeoutMs: 60_000, signal });
  });
  const { issues } = await stage.run({ ports: { triageAgent } });
  expect(issues[0]?.policy).toContain("security-report");
  expect(await filesWithDetail(stage.directory)).toEqual([]);
});

/**
 * Runs a batch that publishes nothing. Its Triage Agent proposes a harmless outcome, but leaves files that contain the detail.
 */
async function deliveredOnly(stage: BatchStage): Promise<void> {
  const { provider } = stage;
  const triageAgent = proposingAgent({}, async (_, { files, session, signal }) => {
    await writeFile(join(files.checkout, "tried.txt"), DETAIL);
    await session.run(`echo ${DETAIL}`, { callerTimeoutMs: 60_000, signal });
  });
  const leaseState = () => Promise.resolve("unknown" as const);
  const { issues } = await stage.run({ ports: { triageAgent, provider: { ...provider, leaseState } } });
  expect(issues[0]?.status).toBe("requeued");
}

test("once a later attempt finds a vulnerability, nothing is left of earlier attempts at the issue either (S16)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  await deliveredOnly(stage);
  expect((await filesWithDetail(stage.directory)).length).toBeGreaterThan(1);
  await stage.ports.checkpoints.remove(ref);
  const summary = await stage.run({ ports: { triageAgent: proposingAgent({ security }) } });
  expect(summary.issues[0]).toMatchObject({ status: "applied", policy: ["security-report"] });
  expect(await filesWithDetail(stage.directory)).toEqual([]);
});

test("security.keepEvidence: private also keeps what an earlier attempt left, and removes nothing of other issues (S16)", async () => {
  await using stage = await openBatchStage();
  const other = await stage.github.createIssue({ title: "It breaks elsewhere", labels: ["needs-triage"] });
  const privateEvidence = join(stage.directory, "private");
  await deliveredOnly(stage);
  const before = await filesWithDetail(stage.directory);
  const ref = await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  const only = { onlyIssues: [ref.number] };
  const ports = { triageAgent: proposingAgent({ security }) };
  await stage.run({ ports, settings: { ...only, privateEvidence } });
  const kept = (await filesWithDetail(stage.directory)).filter((path) => !path.startsWith(privateEvidence));
  expect(kept).toEqual(before);

  await stage.ports.checkpoints.remove(other);
  await stage.run({ ports, settings: { onlyIssues: [other.number], privateEvidence } });
  const found = await filesWithDetail(stage.directory);
  expect(found.some((path) => path.endsWith("checkout.patch"))).toBe(true);
  expect(found.some((path) => path.endsWith("output.bin"))).toBe(true);
  for (const path of found) expect(path.startsWith(privateEvidence)).toBe(true);
});
