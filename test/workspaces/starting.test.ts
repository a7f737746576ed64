import { text } from "node:stream/consumers";
import { systemClock } from "agent-tty/kit";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startProgram, type StartedProgram } from "../../src/workspaces/starting/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const PATH = process.env["PATH"] ?? "";

async function started(command: readonly [string, ...string[]], hasInput = false): Promise<StartedProgram> {
  const start = await startProgram({ command, cwd: "/", env: { PATH, LEFT: "1" }, hasInput }, systemClock);
  if (start.type !== "started") throw new Error(start.message);
  return start.program;
}

test("a program gets its own environment, directory, input and signals, and leads its own session (P11, S11)", async () => {
  // Node itself ignores SIGPIPE, and a child inherits ignored signals.
  const script =
    "pwd; printf '%s\\n' \"$LEFT ${HOME-no home}\"; cat; cut -d ' ' -f 1,5,6 /proc/$$/stat; kill -PIPE $$";
  const program = await started(["bash", "-c", script], true);
  program.stdin?.end("its input\n");
  const { pid } = program;
  expect(await text(program.stdout)).toBe(`/\n1 no home\nits input\n${pid} ${pid} ${pid}\n`);
  expect(await program.exited).toEqual({ exitCode: null, signalName: "SIGPIPE" });
});

test("a program inherits no pipe of another program (S10, P11)", async () => {
  const listed = async (): Promise<string> =>
    text((await started(["bash", "-c", "ls /proc/self/fd | wc -l"])).stdout);
  const before = await listed();
  const other = await started(["cat"], true);
  expect(await listed()).toBe(before);
  other.stdin?.end();
  expect(await other.exited).toEqual({ exitCode: 0, signalName: null });
});

test("a program without input reads an immediate end of input (S11)", async () => {
  const program = await started(["cat"]);
  expect(program.stdin).toBeNull();
  expect(await program.exited).toEqual({ exitCode: 0, signalName: null });
});

test("all exits of programs that end at the same time are reported, and none remains a zombie (P11)", async () => {
  const codes = Array.from({ length: 40 }, (_, code) => code);
  const programs = await Promise.all(codes.map((code) => started(["bash", "-c", `exit ${code}`])));
  const ends = await Promise.all(programs.map(({ exited }) => exited));
  expect(ends).toEqual(codes.map((exitCode) => ({ exitCode, signalName: null })));
  const stats = programs.map(({ pid }) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "gone"));
  expect(new Set(await Promise.all(stats))).toEqual(new Set(["gone"]));
});

test("a program that cannot be started fails with the same error as in Node (S11)", async () => {
  await using directory = await temporaryDirectory();
  const start = (program: string, cwd = "/") =>
    startProgram({ command: [program], cwd, env: { PATH }, hasInput: false }, systemClock);
  expect(await start("no-such-program")).toMatchObject({ type: "not-started", code: "ENOENT" });
  expect(await start("cat", `${directory.path}/missing`)).toMatchObject({
    type: "not-started",
    code: "ENOENT",
  });
  expect(await start(directory.path)).toMatchObject({ type: "not-started", code: "EACCES" });
});
