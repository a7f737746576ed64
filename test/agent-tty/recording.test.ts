import { createHash } from "node:crypto";
import { chmod, mkdir, open, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportRecording, openHome, readArtifacts, type RecordingFormat } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary } from "./detached/bundled-binary.ts";
import { type Engine, engine } from "./engine-fixture.ts";
import { writeSession, type WrittenEvent } from "./written-log.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

const HOSTILE = `</text></script><script>alert(1)</script>&\x1b]0;<b>title\x07\x1b]8;;javascript:alert(2)\x07link\x1b]8;;\x07`;

const shown = (text: string, t: number): WrittenEvent => ({ output: Buffer.from(text), t });

interface Recorded {
  bytes: Buffer;
  durationMs: number;
}

async function record(
  started: Engine,
  history: readonly WrittenEvent[],
  format: RecordingFormat,
  timing: "recorded" | "accelerated" | "max-speed" = "recorded",
  size = { cols: 40, rows: 10 },
): Promise<Recorded> {
  const log = await writeSession(started.home, history, size);
  const path = join(started.directory, `recording.${format}`);
  const written = await exportRecording(started.home, log.sessionId, path, { format, timing, theme: "dark" });
  const bytes = await readFile(path);
  expect(written).toMatchObject({ path, sizeBytes: bytes.byteLength });
  return { bytes, durationMs: written.durationMs };
}

/** Returns the size and the delay of each picture in milliseconds (https://www.w3.org/Graphics/GIF/spec-gif89a.txt). */
function readGif(bytes: Buffer): { width: number; height: number; delays: number[] } {
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const delays: number[] = [];
  const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  const skipBlocks = (): void => {
    while (bytes[at] !== 0) at += (bytes[at] ?? 0) + 1;
    at += 1;
  };
  for (;;) {
    const kind = bytes[at];
    if (kind === 0x3b) return { ...size, delays };
    if (kind === 0x21) {
      if (bytes[at + 1] === 0xf9) delays.push(bytes.readUInt16LE(at + 4) * 10);
      at += 2;
    } else if (kind === 0x2c) at += 10 + tableBytes(bytes[at + 9] ?? 0) + 1;
    else throw new Error(`not a GIF block: ${kind} at ${at}`);
    skipBlocks();
  }
}

describe("gif", () => {
  test("a GIF shows each changed screen for as long as it was shown, at the size of the largest screen (A6)", async () => {
    await using started = await engine();
    const history = [
      shown("a", 100),
      shown("\x1b[0m", 300),
      shown("b", 900),
      { type: "resize", cols: 50, rows: 12, t: 1000 },
      shown("c", 4000),
    ];
    const check = async (
      timing: "recorded" | "accelerated" | "max-speed",
      delays: number[],
      durationMs: number,
    ): Promise<void> => {
      const gif = await record(started, history, "gif", timing);
      expect(readGif(gif.bytes)).toEqual({ width: 520, height: 260, delays });
      expect(gif.durationMs).toBe(durationMs);
    };
    await check("recorded", [100, 800, 100, 3000, 3000], 4000);
    await check("accelerated", [100, 700, 100, 500, 3000], 1400);
    await check("max-speed", [50, 100, 50, 50, 3000], 250);
  });

  test("a GIF has a bounded number of pictures, however long the recording is (A6)", async () => {
    await using started = await engine();
    const history = Array.from({ length: 3_000 }, (_, index) => shown(`${index}\r\n`, index * 100));
    // Few cells, because every picture is drawn.
    const size = { cols: 12, rows: 2 };
    const { delays } = readGif((await record(started, history, "gif", "recorded", size)).bytes);
    expect(delays.length).toBeGreaterThan(400);
    expect(delays.length).toBeLessThanOrEqual(501);
    expect(delays.slice(0, -1).reduce((sum, delay) => sum + delay, 0)).toBeCloseTo(300_000, -4);
  });
});

describe("svg", () => {
  test("an SVG contains text as text, without scripts, links or requests (S10)", async () => {
    await using started = await engine();
    const svg = (await record(started, [shown(HOSTILE, 10)], "svg")).bytes.toString("utf8");
    expect(svg).toContain("&lt;/text&gt;&lt;/script&gt;&lt;script&gt;");
    expect(svg).not.toMatch(/<script|<a |javascript:|<b>|title/);
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|url\(/);
    expect(svg).not.toContain("@keyframes");
  });

  test("an SVG changes screens at their recorded times, and draws equal lines once (A6)", async () => {
    await using started = await engine();
    const history = [shown("kept\r\n", 0), shown("one", 1000), shown("\rtwo", 2000)];
    const svg = (await record(started, history, "svg")).bytes.toString("utf8");
    expect(svg.split(">kept<")).toHaveLength(2);
    expect(svg.split('href="#l0"')).toHaveLength(4);
    expect(svg).toContain("animation:film 5.000s step-end infinite");
    expect(svg).toContain("20.0000%{transform:translateX(-420px)}40.0000%{transform:translateX(-840px)}");
  });
});

describe("html", () => {
  test("an HTML recording is one page that makes no requests, and a program's output cannot escape its script element (S10)", async () => {
    await using started = await engine();
    const page = (await record(started, [shown(HOSTILE, 10)], "html")).bytes.toString("utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<(?:script|link|img|iframe)[^>]*(?:src|href)=/);
    const [, cast = ""] =
      /<script type="application\/x-asciicast" id="cast">([^]*?)<\/script>/.exec(page) ?? [];
    const [header, event] = cast
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(header).toMatchObject({ version: 2, width: 40, height: 10 });
    expect(event).toEqual([0.01, "o", HOSTILE]);
    expect(page.split("</script>")).toHaveLength(4);
  });
});

describe("command line", () => {
  test("screenshot returns the published result, at any event, and refuses unknown themes (A12)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh", "-c", "printf shown"] });
    await session.exited;
    const screen = await session.snapshot();
    const take = async (...args: string[]): Promise<{ exitCode: number | undefined; envelope: unknown }> => {
      const env = { ...started.env, AGENT_TTY_HOME: started.home.directory };
      const argv = ["screenshot", session.id, "--json", ...args];
      const { stdout, exitCode } = await binary.command(argv, { cwd: started.directory, env });
      return { exitCode, envelope: JSON.parse(stdout) as unknown };
    };
    const result = { cols: 120, rows: 40, width: 1220, height: 820, capturedAtSeq: screen.seq };
    expect(await take("--theme", "light", "--show-cursor")).toMatchObject({
      exitCode: 0,
      envelope: { result },
    });
    expect(await take("--at-seq", "1")).toMatchObject({ envelope: { result: { capturedAtSeq: 0 } } });
    expect(await take("--theme", "sepia")).toMatchObject({
      exitCode: 2,
      envelope: { error: { code: "USAGE" } },
    });
    const artifacts = await readArtifacts(join(session.directory, "artifacts"));
    expect(artifacts.map(({ type }) => type)).toEqual(["screenshot", "screenshot"]);
  });
});

test("record export without --out writes the recording to the Session's artifacts and adds it to their index (A6)", async () => {
  await using started = await engine();
  const log = await writeSession(started.home, [shown("a", 100), shown("b", 900)]);
  const env = { ...started.env, AGENT_TTY_HOME: started.home.directory };
  const args = ["record", "export", log.sessionId, "--format", "svg", "--json"];
  const { stdout, exitCode } = await binary.command(args, { cwd: started.directory, env });
  expect(exitCode).toBe(0);
  const artifacts = join(log.directory, "artifacts");
  const [entry] = await readArtifacts(artifacts);
  expect(entry).toMatchObject({
    type: "recording",
    file: expect.stringMatching(/^recording-.*\.svg$/) as string,
  });
  const path = join(artifacts, entry?.file ?? "");
  expect(JSON.parse(stdout)).toMatchObject({ result: { path, bytes: entry?.sizeBytes } });
  const content = await readFile(path);
  expect(createHash("sha256").update(content).digest("hex")).toBe(entry?.sha256);
});

describe("record export --out", () => {
  const args = async (started: Engine, out: string, text = "a"): Promise<string[]> => {
    const log = await writeSession(started.home, [shown(text, 100)]);
    return ["record", "export", log.sessionId, "--out", out];
  };
  const exportTo = async (started: Engine, out: string, text?: string): Promise<number | undefined> => {
    const env = { ...started.env, AGENT_TTY_HOME: started.home.directory };
    return (await binary.command(await args(started, out, text), { cwd: started.directory, env })).exitCode;
  };
  const CAST = /^{"version":2.*\n\[0.1,"o","a"\]\n$/;

  test("replaces the file that a symbolic link names, and keeps the link (A6)", async () => {
    await using started = await engine();
    const [file, link] = [join(started.directory, "real.cast"), join(started.directory, "link.cast")];
    await writeFile(file, "earlier");
    await symlink("real.cast", link);
    expect(await exportTo(started, link)).toBe(0);
    expect(await readlink(link)).toBe("real.cast");
    expect(await readFile(file, "utf8")).toMatch(CAST);
  });

  test("creates the file that a symbolic link names if it does not exist yet (A6)", async () => {
    await using started = await engine();
    const [first, second] = [join(started.directory, "first.cast"), join(started.directory, "second.cast")];
    await mkdir(join(started.directory, "out"));
    await symlink("second.cast", first);
    await symlink("out/today.cast", second);
    expect(await exportTo(started, first)).toBe(0);
    expect(await readlink(second)).toBe("out/today.cast");
    expect(await readFile(join(started.directory, "out/today.cast"), "utf8")).toMatch(CAST);
  });

  test("writes to a file that the shell has opened behind what the file has, and does not replace it (A6)", async () => {
    await using started = await engine();
    const path = join(started.directory, "log.cast");
    await writeFile(path, "earlier\n");
    const { ino } = await stat(path);
    const program = [process.execPath, binary.path, ...(await args(started, "/dev/fd/3"))];
    const env = { ...started.env, AGENT_TTY_HOME: started.home.directory };
    await execa("sh", ["-c", 'exec 3>>"$1"; shift; exec "$@"', "sh", path, ...program], { env });
    expect((await stat(path)).ino).toBe(ino);
    expect(await readFile(path, "utf8")).toMatch(/^earlier\n\{"version":2/);
  });

  test("writes into a FIFO and leaves it one (A6)", async () => {
    await using started = await engine();
    const fifo = join(started.directory, "pipe.cast");
    await execa("mkfifo", [fifo]);
    const ended = new AbortController();
    const read = readFile(fifo, { encoding: "utf8", signal: ended.signal }).catch(() => "nothing");
    expect(await exportTo(started, fifo)).toBe(0);
    // A reader of a FIFO that was replaced would wait for ever.
    if ((await stat(fifo)).isFIFO()) expect(await read).toMatch(CAST);
    else ended.abort();
    expect((await stat(fifo)).isFIFO()).toBe(true);
  });

  test("stops waiting for the reader of a FIFO when its signal aborts (A6)", async () => {
    await using started = await engine();
    const fifo = join(started.directory, "pipe.cast");
    await execa("mkfifo", [fifo]);
    // A writer that open(2) holds would keep the test process from ending.
    onTestFinished(async () => (await open(fifo, "r+").catch(() => null))?.close());
    const { sessionId } = await writeSession(started.home, [shown("a", 100)]);
    const stopped = new AbortController();
    const sleep = async (_durationMs: number, signal?: AbortSignal): Promise<void> => {
      stopped.abort(new Error("stopped"));
      return Promise.resolve(signal?.throwIfAborted());
    };
    const clock = { ...systemClock, sleep };
    const home = await openHome({ directory: started.home.directory, clock, ids: started.home.ids });
    const options = { format: "asciicast", theme: "dark", signal: stopped.signal } as const;
    await expect(exportRecording(home, sessionId, fifo, options)).rejects.toThrow("stopped");
  });

  test("succeeds when the reader of a FIFO removes it while it reads (A6)", async () => {
    await using started = await engine();
    const fifo = join(started.directory, "pipe.cast");
    await execa("mkfifo", [fifo]);
    const read = execa("sh", ["-c", 'exec 3<"$1"; rm "$1"; cat <&3', "sh", fifo]);
    // More than a FIFO holds, so that the export cannot end before the reader has removed it.
    const text = "a".repeat(200_000);
    expect(await exportTo(started, fifo, text)).toBe(0);
    expect((await read).stdout).toContain(text);
  });

  test("writes nothing but the recording where it is the program's own output (A6)", async () => {
    await using started = await engine();
    const program = [process.execPath, binary.path, ...(await args(started, "/proc/self/fd/1"))];
    const env = { ...started.env, AGENT_TTY_HOME: started.home.directory };
    const piped = execa("sh", ["-c", '"$@" | cat', "sh", ...program], { env, stripFinalNewline: false });
    expect((await piped).stdout).toMatch(CAST);
    const log = join(started.directory, "output.log");
    await execa("sh", ["-c", '(echo before; "$@"; echo after) >>"$LOG"', "sh", ...program], {
      env: { ...env, LOG: log },
    });
    const content = await readFile(log, "utf8");
    expect(content).toMatch(/^before\n.*\nafter\n$/s);
    expect(content.slice("before\n".length, -"after\n".length)).toMatch(CAST);
  });

  test("refuses an empty name as wrong usage (A6)", async () => {
    await using started = await engine();
    expect(await exportTo(started, "")).toBe(2);
  });
});

describe("webm", () => {
  const exportWebm = async (started: Engine, path: string, out: string) => {
    const log = await writeSession(started.home, [shown("a", 100), shown("b", 900)]);
    const args = ["record", "export", log.sessionId, "--format", "webm", "--out", out, "--json"];
    const env = { ...started.env, PATH: path, AGENT_TTY_HOME: started.home.directory };
    const { stdout, exitCode } = await binary.command(args, { cwd: started.directory, env });
    return { exitCode, envelope: JSON.parse(stdout) as unknown };
  };

  test("a webm export without ffmpeg reports what to install (A6)", async () => {
    await using started = await engine();
    const out = join(started.directory, "x.webm");
    const { exitCode, envelope } = await exportWebm(started, started.directory, out);
    expect(exitCode).toBe(7);
    expect(envelope).toMatchObject({
      ok: false,
      error: { code: "FFMPEG_MISSING", remedy: expect.stringContaining("install ffmpeg") as string },
    });
  });

  test("ffmpeg receives every picture with its duration (A6)", async () => {
    await using started = await engine();
    const programs = join(started.directory, "bin");
    await mkdir(programs);
    const ffmpeg = join(programs, "ffmpeg");
    // This ffmpeg writes the list it received instead of a video.
    const script = `#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = -i ] && list=$2; shift; done\n[ "$1" = -version ] || cat "$list" > "$1"\n`;
    await writeFile(ffmpeg, script);
    await chmod(ffmpeg, 0o755);
    const out = join(started.directory, "x.webm");
    const { envelope } = await exportWebm(started, `${programs}:/usr/bin:/bin`, out);
    expect(envelope).toMatchObject({ ok: true, result: { path: out, durationMs: 900 } });
    const list =
      "ffconcat version 1.0\nfile 1.png\nduration 0.100\nfile 2.png\nduration 0.800\nfile 3.png\nduration 3.000\nfile 3.png\n";
    expect(await readFile(out, "utf8")).toBe(list);
  });
});
