/**
 * Usage: `npm run bench:checkout -- --commits N --files M --kib K --delay-ms D`. Measures how long each checkout strategy takes,
 * over HTTP from git's own server on loopback, for a generated repository (default 4,000 commits, 2,000 files of 8 KiB, each
 * commit changing 8), and how long the first read of old history takes afterwards. `--delay-ms` (default 50) is added to each
 * request to simulate a network. Prints a table and the load of the machine.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { deepenCommand } from "../src/evidence/index.ts";
import { planCheckout } from "../src/triage/batch/session/index.ts";
import { generateRepository } from "./bench/generated-repository.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    commits: { type: "string", default: "4000" },
    files: { type: "string", default: "2000" },
    kib: { type: "string", default: "8" },
    "delay-ms": { type: "string", default: "50" },
    repeats: { type: "string", default: "3" },
  },
});
const run = promisify(execFile);
const directory = await mkdtemp(join(tmpdir(), "bench-checkout-"));
const delayMs = Number(values["delay-ms"]);
const repeats = Number(values.repeats);

try {
  const repository = join(directory, "repo.git");
  await generateRepository(repository, {
    commits: Number(values.commits),
    files: Number(values.files),
    fileBytes: Number(values.kib) * 1024,
  });
  const server = createServer((request, response) => {
    setTimeout(() => backend(request, response, directory), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/repo.git`;
  const bundle = join(directory, "repository.bundle");
  const bundleMs = await timed(async () => {
    await run("git", ["clone", "--quiet", "--mirror", url, join(directory, "mirror.git")]);
    await run("git", ["-C", join(directory, "mirror.git"), "bundle", "create", "--quiet", bundle, "--all"]);
  });
  const shallow =
    planCheckout({ cloneFrom: url, settings: settingsOf("shallow") }, "work")[0]?.commandLine ?? "";
  const clone = planCheckout({ cloneFrom: url, settings: settingsOf("clone") }, "work")[0]?.commandLine ?? "";
  const ways: { name: string; command: string; deepen: string; once: number }[] = [
    { name: "clone (strategy clone)", command: clone, deepen: "true", once: 0 },
    {
      name: "blobless clone",
      command: `git clone --quiet --filter=blob:none ${url} work`,
      deepen: "true",
      once: 0,
    },
    { name: "shallow clone (strategy shallow)", command: shallow, deepen: deepenCommand, once: 0 },
    {
      name: "bundle (strategy bundle)",
      command: `git clone --quiet ${bundle} work`,
      deepen: "true",
      once: bundleMs,
    },
  ];
  const rows: string[][] = [["way", "checkout", "history", "first old commit", "on disk"]];
  const played = new Map(ways.map(({ name }) => [name, [] as Played[]]));
  // The strategies are measured in turn, so that the load of the machine affects all of them equally.
  for (let repeat = 0; repeat < repeats; repeat += 1)
    for (const { name, command, deepen } of ways) played.get(name)?.push(await play(command, deepen));
  for (const { name, once } of ways) {
    const times = played.get(name) ?? [];
    const median = (of: (time: Played) => number): number =>
      times.map(of).toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
    rows.push([
      name,
      `${seconds(median(({ ready }) => ready))}${once === 0 ? "" : ` + ${seconds(once)} by the parent`}`,
      seconds(median(({ deep }) => deep)),
      seconds(median(({ old }) => old)),
      `${median(({ mib }) => mib).toFixed(0)} MiB`,
    ]);
  }
  server.close();
  server.closeAllConnections();
  const { size } = await stat(bundle);
  process.stdout.write(
    `${values.commits} commits, ${values.files} files of ${values.kib} KiB, packed ${(size / 1024 ** 2).toFixed(0)} MiB; ${delayMs} ms a request; median of ${repeats}; load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
} finally {
  await rm(directory, { recursive: true, force: true });
}

function settingsOf(strategy: "clone" | "shallow") {
  return { url: null, ref: null, strategy, setup: [] } as const;
}

interface Played {
  ready: number;
  deep: number;
  old: number;
  mib: number;
}

/**
 * Times the checkout, then the fetch of its history as the range search does it, then the checkout of a commit from the middle.
 */
async function play(command: string, deepen: string): Promise<Played> {
  const place = await mkdtemp(join(directory, "place-"));
  const work = join(place, "work");
  const bash = (line: string, cwd: string) => run("bash", ["-c", line], { cwd, maxBuffer: 64 * 1024 ** 2 });
  const ready = await timed(async () => void (await bash(command, place)));
  const deep = await timed(async () => void (await bash(deepen, work)));
  const { stdout } = await bash("git rev-list --first-parent HEAD", work);
  const commits = stdout.trim().split("\n");
  const middle = commits[Math.floor(commits.length / 2)] ?? "HEAD";
  const old = await timed(async () => void (await bash(`git checkout --quiet --detach ${middle}`, work)));
  const size = await bash("du -sk .git | cut -f 1", work);
  await rm(place, { recursive: true, force: true });
  return { ready, deep, old, mib: Number(size.stdout) / 1024 };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Answers a request by running `git http-backend` as a CGI program. */
function backend(request: IncomingMessage, response: ServerResponse, root: string): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://loopback");
  const program = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(program.stdin);
  let head = Buffer.alloc(0);
  const onHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    program.stdout.off("data", onHead);
    const headers = head.subarray(0, end).toString("latin1").split("\r\n");
    const status = headers.find((line) => /^status:/i.test(line));
    response.statusCode = Number(/\d{3}/.exec(status ?? "200")?.[0] ?? 200);
    for (const line of headers) {
      const at = line.indexOf(":");
      if (!/^status:/i.test(line)) response.setHeader(line.slice(0, at), line.slice(at + 1).trim());
    }
    response.write(head.subarray(end + 4));
    program.stdout.pipe(response);
  };
  program.stdout.on("data", onHead);
}
