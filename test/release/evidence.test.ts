import { join } from "node:path";
import { openHome } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  collectEvidence,
  type EvidencePorts,
  type EvidenceRequest,
  verificationEnvironment,
} from "../../src/release/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { readText } from "./stage.ts";

async function collect(
  change: Partial<EvidenceRequest>,
  ports: Partial<EvidencePorts> = {},
): Promise<Awaited<ReturnType<typeof collectEvidence>> & { cast: string | null }> {
  await using directory = await temporaryDirectory();
  const clock = systemClock;
  const sessions = await openHome({ directory: join(directory.path, "tty"), clock, ids: systemIds(clock) });
  const evidence = await collectEvidence(
    {
      name: "release 1.0.0",
      directory: directory.path,
      setup: [],
      verify: [],
      callerTimeoutMs: 20_000,
      recordingPath: join(directory.path, "verification.cast"),
      ...change,
    },
    {
      sessions,
      env: verificationEnvironment({ PATH: process.env["PATH"], GITHUB_TOKEN: "not passed on" }),
      cleanSession: () => Promise.resolve(true),
      onCommand: () => undefined,
      signal: new AbortController().signal,
      ...ports,
    },
  );
  return { ...evidence, cast: evidence.recording === null ? null : await readText("/", evidence.recording) };
}

test("verification commands are Waited Runs of one recorded Session, each with its own exit code (A23)", async () => {
  const begun: string[] = [];
  const evidence = await collect(
    {
      setup: ["ready=yes"],
      verify: ["echo $ready-$CI-${GITHUB_TOKEN:-none}", "echo broken; (exit 7)", "echo never"],
    },
    { onCommand: (command) => begun.push(command) },
  );
  expect(evidence).toMatchObject({
    status: "failed",
    commands: [
      { kind: "setup", end: "completed", exitCode: 0 },
      { kind: "verify", exitCode: 0, output: "yes-true-none" },
      { kind: "verify", end: "completed", exitCode: 7, output: "broken" },
    ],
  });
  expect(begun).toHaveLength(3);
  expect(evidence.cast).toContain('"version":');
  expect(evidence.cast).toContain("broken");
});

test("a passing verification is recorded without token-shaped strings (A23)", async () => {
  const token = `ghp_${"a1".repeat(18)}`;
  const evidence = await collect({ verify: [`echo ${token.slice(0, 10)}"${token.slice(10)}"`] });
  expect(evidence).toMatchObject({ status: "passed", commands: [{ exitCode: 0 }] });
  expect(evidence.commands[0]?.output).not.toContain(token);
});

test("a command that does not end, or one that ends the shell, fails the verification (A23)", async () => {
  expect(await collect({ verify: ["sleep 60"], callerTimeoutMs: 800 })).toMatchObject({
    status: "failed",
    commands: [{ end: "timed-out", exitCode: null }],
  });
  expect(await collect({ verify: ["exit 0"] })).toMatchObject({
    status: "failed",
    commands: [{ end: "interrupted", exitCode: null }],
  });
});

test("a Session that showed one of our secrets leaves no output and no recording, and fails (A23)", async () => {
  const evidence = await collect({ verify: ["echo secret"] }, { cleanSession: () => Promise.resolve(false) });
  expect(evidence).toMatchObject({ status: "failed", recording: null });
  expect(JSON.stringify(evidence.commands.map(({ output }) => output))).not.toContain('"secret"');
});
