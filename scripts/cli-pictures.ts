import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureScreenshot, createSession, type Home, openHome } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { commentPicture } from "./comment-picture.ts";
import { answerHelp } from "./script-arguments.ts";
import { createProductRepository, demoIssues, startDemoGithub } from "../src/demo/index.ts";

/**
 * Creates docs/pictures/cli-*.png: the screens of run, list, show, doctor and run --dry-run at 120×40 and 80×24, each from a real
 * run of the built program against the demo's emulated GitHub, drawn by the engine; and docs/pictures/comment.png, a published
 * comment of that run. Run `npm run build` first.
 */
answerHelp(import.meta.url);
const ROOT = join(import.meta.dirname, "..");
const PROGRAM = join(ROOT, "dist/afk-triage.js");
const SIZES = [
  { cols: 120, rows: 40 },
  { cols: 80, rows: 24 },
];
const SHOWN = 10;

const clock = systemClock;
const ids = systemIds(clock);
const { signal } = new AbortController();
for (const size of SIZES) await pictures(size);

async function pictures(size: { cols: number; rows: number }): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "afk-"));
  try {
    const sessions = await openHome({ directory: join(directory, "sessions"), clock, ids });
    const template = join(ROOT, "templates/demo-product");
    const product = await createProductRepository(
      { template, directory: join(directory, "product") },
      signal,
    );
    const markerKey = ids.hex(32);
    await using github = await startDemoGithub(
      { issues: demoIssues, directory, markerKey, clock, ids },
      signal,
    );
    const config = join(directory, "afk-triage.yml");
    const agent = [process.execPath, join(ROOT, "dist/demo-triage-agent.js")];
    await writeFile(
      config,
      JSON.stringify({
        repos: [github.repo],
        provider: "local",
        parallelism: 2,
        triageAgent: { kind: "command", command: agent },
        checkout: { url: product.cloneUrl },
        // The same settings as in the demo, whose comment README.md quotes.
        reproduction: { runs: 5, timeout: "30s" },
      }),
    );
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: directory,
      LANG: "C.UTF-8",
      AFK_TRIAGE_MARKER_KEY: markerKey,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_TOKEN: github.token,
    };
    const shoot = (name: string, args: readonly string[]) =>
      picture(sessions, {
        name: `cli-${name}-${size.cols}x${size.rows}`,
        args,
        env,
        cwd: directory,
        ...size,
      });
    await shoot("doctor", ["doctor", "--config", config]);
    await shoot("dry-run", ["run", "--dry-run", "--config", config]);
    await shoot("run", ["run", "--config", config, "--max-issues", String(SHOWN)]);
    await shoot("list", ["list"]);
    await shoot("show", ["show", "1"]);
    if (size === SIZES[0]) {
      const [run = ""] = await readdir(join(directory, ".afk-triage/runs"));
      const kept = join(directory, ".afk-triage/runs", run, `${github.repo.replace("/", "__")}-1/comment.md`);
      await commentPicture(kept, join(ROOT, "docs/pictures/comment.png"));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Shot {
  name: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  cols: number;
  rows: number;
}

async function picture(home: Home, { name, args, env, cwd, cols, rows }: Shot): Promise<void> {
  const session = await createSession(home, {
    command: [process.execPath, PROGRAM, ...args],
    cwd,
    env,
    cols,
    rows,
    name,
  });
  await session.exited;
  const snapshot = await session.detailedSnapshot();
  const { artifactPath } = await captureScreenshot(home, session.id, snapshot, {
    theme: "dark",
    showCursor: false,
  });
  await mkdir(join(ROOT, "docs/pictures"), { recursive: true });
  await rename(artifactPath, join(ROOT, "docs/pictures", `${name}.png`));
  console.log(`docs/pictures/${name}.png`);
}
