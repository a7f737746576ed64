import { execFile } from "node:child_process";
import { truncate } from "node:fs/promises";
import { promisify } from "node:util";
import { shellQuote } from "agent-tty/kit";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  readWorkspaceFile,
  readWorkspaceFileAnd,
  type ReadyWorkspace,
  writeFilesForProgram,
  writeWorkspaceFile,
  writeWorkspaceFiles,
} from "../../src/workspaces/index.ts";
import { propertyRuns } from "../support/property-runs.ts";
import { createdWorkspace, localSubject } from "./local-subject.ts";

// Each test starts many processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

const signal = new AbortController().signal;

test("readWorkspaceFile reads only a regular file of bounded size, whatever is at the path (S9)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const set = [
    "mkdir -p control folder real; cd control",
    "printf '\\000\\377hi' > bytes; : > empty; printf 12345678 > eight; printf 123456789 > nine",
    "ln -s /etc/passwd passwd; ln -s bytes near; ln -s nowhere dangling; mkfifo fifo",
    "ln -s /dev/zero endless; ln -s ../control ../real/linked; touch big",
  ];
  await ready.exec(set.join("\n"), { timeoutMs: 20_000 });
  await truncate(`${ready.directory}/control/big`, 2 ** 30 - 1);
  const check = async (path: string, expected: unknown) => {
    const found = await readWorkspaceFile(ready, `${ready.directory}/${path}`, { maxBytes: 8 }, signal);
    const readable = found.type === "content" ? [...found.bytes] : found;
    expect([path, readable]).toEqual([path, expected]);
    const followUp = {
      commandLine: "printf '\\000more\\n'",
      maxOutputBytes: 6,
      timeoutMs: 20_000,
      nonce: "n0nce",
    };
    const both = await readWorkspaceFileAnd(
      ready,
      `${ready.directory}/${path}`,
      { maxBytes: 8 },
      followUp,
      signal,
    );
    expect(both).toEqual({ file: found, output: Buffer.from("\0more\n") });
  };
  await check("control/bytes", [0, 255, 104, 105]);
  await check("control/empty", []);
  await check("control/eight", [...Buffer.from("12345678")]);
  await check("control/nine", { type: "too-large", maxBytes: 8 });
  await check("control/big", { type: "too-large", maxBytes: 8 });
  await check("control/absent", { type: "missing" });
  await check("absent/absent", { type: "missing" });
  for (const name of ["passwd", "near", "dangling", "fifo", "endless"])
    await check(`control/${name}`, { type: "not-regular" });
  await check("folder", { type: "not-regular" });
  await check("real/linked/bytes", { type: "not-regular" });
  await subject.provider.destroy(workspace, signal);
  expect(await readWorkspaceFile(ready, "/x", { maxBytes: 8 }, signal)).toMatchObject({
    type: "transport-lost",
  });
});

test("a command line that follows a file does not affect the file when it fails, prints too much or does not end", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const path = `${ready.directory}/file`;
  await writeWorkspaceFile(ready, path, Buffer.from("\nn0nce 0\nfrom the file"), {}, signal);
  const check = async (commandLine: string, output: string | null, timeoutMs = 20_000) => {
    const followUp = { commandLine, maxOutputBytes: 4, timeoutMs, nonce: "other" };
    const read = await readWorkspaceFileAnd(ready, path, { maxBytes: 100 }, followUp, signal);
    expect([
      commandLine,
      read.file,
      read.output === null ? null : Buffer.from(read.output).toString(),
    ]).toEqual([commandLine, { type: "content", bytes: Buffer.from("\nn0nce 0\nfrom the file") }, output]);
  };
  await check("printf four", "four");
  await check("printf ''", "");
  await check("printf four; exit 3", null);
  await check("set -e; false; printf four", null);
  await check("printf fives", null);
  await check("yes", null);
  await check("sleep 100", null, 300);
});

test("no file is written to a Coder workspace that does not have the program", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const path = `${ready.directory}/file`;
  const files = [{ path, bytes: Buffer.alloc(300_000, "x"), executable: false }] as const;
  expect(await writeFilesForProgram(ready, "no-such-program", files, signal)).toBe(false);
  expect(await readWorkspaceFile(ready, path, { maxBytes: 8 }, signal)).toEqual({ type: "missing" });
  expect(await writeFilesForProgram(ready, "bash", files, signal)).toBe(true);
  expect(await readWorkspaceFile(ready, path, { maxBytes: 8 }, signal)).toMatchObject({ type: "too-large" });
});

test("a file is written completely, replaces links without following them, and has its mode and its directories", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const target = `${ready.directory}/new/it's a "dir"/$HOME;\n-rf`;
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
  await writeWorkspaceFile(ready, target, bytes, { executable: true }, signal);
  expect(await readWorkspaceFile(ready, target, { maxBytes: 300_000 }, signal)).toEqual({
    type: "content",
    bytes: Buffer.from(bytes),
  });
  expect((await ready.exec(`[ -x ${shellQuote(target)} ]`, { timeoutMs: 20_000 })).type).toBe("exited");

  await ready.exec("echo kept > victim; ln -s victim link; mkdir directory", { timeoutMs: 20_000 });
  await writeWorkspaceFile(ready, `${ready.directory}/link`, Buffer.from("new"), {}, signal);
  const shown = await ready.exec("cat victim; cat link; [ ! -L link ]", { timeoutMs: 20_000 });
  expect(shown).toMatchObject({ exitCode: 0, stdout: Buffer.from("kept\nnew") });

  await expect(
    writeWorkspaceFile(ready, `${ready.directory}/directory`, bytes, {}, signal),
  ).rejects.toMatchObject({
    code: "WORKSPACE_FILE_REFUSED",
    message: expect.stringContaining("a directory is in the way") as string,
  });
  const left = await ready.exec("ls -A directory; ls -A | grep -e part -e all", { timeoutMs: 20_000 });
  expect(left).toMatchObject({ exitCode: 1, stdout: Buffer.from("") });
  await subject.provider.destroy(workspace, signal);
});

test("a text into a folder that exists takes four programs, and one that did not arrive whole is refused", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const log = `${ready.directory}/log`;
  const logged = ["mkdir", "cat", "wc", "chmod", "mv", "rm"].map(
    (name) => `${name}() { echo ${name} >>${log}; command ${name} "$@"; }`,
  );
  const text = Buffer.from("größer\n\n");
  const sending = (sent: (stdin: Uint8Array) => Uint8Array): ReadyWorkspace => ({
    ...ready,
    exec: (commandLine, { stdin = text, ...options }) =>
      ready.exec(`${logged.join("\n")}\n${commandLine}`, { ...options, stdin: sent(stdin) }),
  });
  const target = `${ready.directory}/text`;
  await writeWorkspaceFile(
    sending((stdin) => stdin),
    target,
    text,
    {},
    signal,
  );
  const shown = await ready.exec(`stat -c %a text; cat text; paste -s -d ' ' ${log}`, { timeoutMs: 20_000 });
  expect(shown).toMatchObject({ stdout: Buffer.from(`644\n${text.toString()}mkdir cat mv rm\n`) });
  for (const bytes of [text, Buffer.from("with\0NUL")])
    await expect(
      writeWorkspaceFile(
        sending((stdin) => stdin.subarray(1)),
        target,
        bytes,
        {},
        signal,
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining("not all bytes arrived") as string });
  const kept = await ready.exec("cat text; ls -A", { timeoutMs: 20_000 });
  expect(kept).toMatchObject({ stdout: Buffer.from(`${text.toString()}log\ntext\n`) });
  await subject.provider.destroy(workspace, signal);
});

test("several files, including empty ones, are written byte for byte over one connection", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  let connections = 0;
  const counted: ReadyWorkspace = {
    ...ready,
    exec: (commandLine, options) => {
      connections += 1;
      return ready.exec(commandLine, options);
    },
  };
  const length = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(70_000));
  const contents = fc.array(fc.tuple(length, fc.nat()).map(bytesFrom), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(contents, async ([first = new Uint8Array(), ...others]) => {
      const file = (bytes: Uint8Array, index: number) => ({
        path: `${ready.directory}/many/${index}/it's one`,
        bytes,
        executable: index % 2 === 0,
      });
      connections = 0;
      await writeWorkspaceFiles(
        counted,
        [file(first, 0), ...others.map((bytes, index) => file(bytes, index + 1))],
        signal,
      );
      expect(connections).toBe(1);
      for (const [index, bytes] of [first, ...others].entries()) {
        const { path } = file(bytes, index);
        expect(await readWorkspaceFile(ready, path, { maxBytes: 70_000 }, signal)).toEqual({
          type: "content",
          bytes: Buffer.from(bytes),
        });
        const mode = await ready.exec(`[ -x ${shellQuote(path)} ]`, { timeoutMs: 20_000 });
        expect(mode).toMatchObject({ exitCode: index % 2 === 0 ? 0 : 1 });
      }
    }),
    { numRuns: propertyRuns(4, 8) },
  );
  await subject.provider.destroy(workspace, signal);
});

/** Expands a seed to bytes: one fast-check value per byte would take hundreds of megabytes. */
function bytesFrom([length, seed]: [number, number]): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

describe("shellQuote", () => {
  test("a real shell reads any quoted text back unchanged", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\0", ""));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
        const line = `printf '%s\\0' ${texts.map(shellQuote).join(" ")}`;
        const { stdout } = await promisify(execFile)("bash", ["-c", line]);
        expect(stdout.split("\0").slice(0, -1)).toEqual(texts);
      }),
      { numRuns: propertyRuns(8, 25) },
    );
  });

  test("an assignment is quoted, and a NUL byte is refused", () => {
    expect(shellQuote("A=b")).toBe("'A=b'");
    expect(shellQuote("")).toBe("''");
    expect(() => shellQuote("a\0b")).toThrow("NUL");
  });
});
