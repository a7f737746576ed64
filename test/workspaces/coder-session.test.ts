import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readWorkspaceFile } from "../../src/workspaces/index.ts";
import { deployment, never, openStandInSession, ready } from "../support/coder/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const PATIENT = { callerTimeoutMs: 20_000 };

async function everyByteUnder(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

test("a Session over coder ssh runs commands in the run's directory, at the engine's size (A15, A16)", async () => {
  await using subject = await deployment();
  await using directory = await temporaryDirectory();
  const shell = await ready(subject.provider);
  await using session = await openStandInSession(shell, directory.path);
  const outputs: string[] = [];
  for (const [line, exitCode] of [
    ["pwd", 0],
    ["stty size", 0],
    ["exit_with() { return $1; }; exit_with 7", 7],
    ["seq 2000 | tail -1", 0],
  ] as const) {
    const result = await session.run(line, PATIENT);
    expect(result).toMatchObject({ type: "completed", exitCode });
    outputs.push((await session.readOutput(result.output, 4000)).trim());
  }
  expect(outputs).toEqual(
    [shell.directory, "40 120", "", "2000"].map((text) => expect.stringContaining(text) as string),
  );
  // S8: the CLI's token exists only in its process.
  expect(await everyByteUnder(directory.path)).not.toContain(subject.standIn.token);
});

test("a lost connection ends the Session, and the run's files still exist (coder failure 17, T12)", async () => {
  await using subject = await deployment();
  await using directory = await temporaryDirectory();
  const shell = await ready(subject.provider);
  await using session = await openStandInSession(shell, directory.path);
  await session.run("printf kept > result", PATIENT);
  const running = session.run("sleep 300", PATIENT);
  await session.wait({ text: "sleep 300" }, PATIENT);
  subject.standIn.dropSessions();
  expect(await running).toMatchObject({ type: "interrupted", exit: { type: "code", code: 255 } });
  const kept = await readWorkspaceFile(shell, `${shell.directory}/result`, { maxBytes: 100 }, never);
  expect(kept.type === "content" ? Buffer.from(kept.bytes).toString() : kept).toBe("kept");
  expect(await subject.provider.leaseState(shell.id, never)).toBe("held");
});
