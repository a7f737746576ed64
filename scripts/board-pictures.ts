import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { execa } from "execa";
import type { Page } from "playwright-core";
import {
  demoBoard,
  heroId,
  launchChromium,
  MORNING_MS,
  NIGHT,
  serveFakeBoard,
  TOKEN,
  waitingId,
} from "../test/support/board/index.ts";
import { smallPng } from "./board-pictures/small-png.ts";
import { answerHelp } from "./script-arguments.ts";

/**
 * Draws the board's main views in Chromium into docs/pictures, or into the directory given. The runs are invented; the terminals
 * are real recordings of test/fixtures, and the server is the real one.
 */
answerHelp(import.meta.url);
const ROOT = join(import.meta.dirname, "..");
const PICTURES = resolve(process.argv[2] ?? join(ROOT, "docs/pictures"));
const DIST = join(ROOT, "build/board-pictures");
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };
const MAX_BYTES = 150_000;

type Theme = "light" | "dark";
interface Picture {
  name: string;
  hash: string;
  theme: Theme;
  size?: { width: number; height: number };
  act?: (page: Page) => Promise<void>;
}

const run = (id: string, tab = ""): string =>
  `#/runs/${encodeURIComponent(id)}${tab === "" ? "" : `/${tab}`}`;

const PICTURES_OF: readonly Picture[] = [
  { name: "overview", hash: "#/", theme: "light", act: (page) => page.locator(".run-row").first().waitFor() },
  {
    name: "overview-dark",
    hash: "#/",
    theme: "dark",
    act: (page) => page.locator(".run-row").first().waitFor(),
  },
  { name: "live", hash: run(waitingId), theme: "dark", act: untilAsked },
  { name: "replay", hash: run(heroId), theme: "light", act: scrub },
  { name: "outcome", hash: run(heroId, "outcome"), theme: "light" },
  { name: "reproduction", hash: run(heroId, "reproduction"), theme: "light", act: untilDrawn },
  {
    name: "plots",
    hash: "#/plots",
    theme: "light",
    act: (page) => page.locator(".plot svg").last().waitFor(),
  },
  {
    name: "duplicates",
    hash: "#/duplicates",
    theme: "light",
    act: (page) => page.locator(".cluster").last().waitFor(),
  },
  {
    name: "batch",
    hash: `#/batches/${NIGHT}`,
    theme: "light",
    size: { width: 1280, height: 450 },
    act: (page) => page.locator(".plot svg").last().waitFor(),
  },
  {
    name: "trust",
    hash: "#/trust",
    theme: "light",
    size: { width: 1280, height: 1100 },
    act: (page) => page.locator(".trust-card").last().waitFor(),
  },
  {
    name: "narrow",
    hash: "#/",
    theme: "light",
    size: NARROW,
    act: (page) => page.locator(".run-row").first().waitFor(),
  },
  { name: "narrow-run", hash: run(heroId), theme: "dark", size: NARROW, act: untilDrawn },
];

await execa("tsx", [join(ROOT, "scripts/build.ts"), "--page", DIST], { preferLocal: true, localDir: ROOT });
await mkdir(PICTURES, { recursive: true });
await using board = await serveFakeBoard(await demoBoard(), {
  pageDirectory: join(DIST, "board"),
  allowsControl: true,
});
const browser = await launchChromium();
try {
  for (const picture of PICTURES_OF) await draw(picture);
} finally {
  await browser.close();
  await rm(DIST, { recursive: true, force: true });
}

async function draw({ name, hash, theme, size = WIDE, act }: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.on("console", (message) => console.error(`${name}: ${message.text()}`));
  await page.clock.setFixedTime(MORNING_MS);
  await page.goto(`${board.url}?token=${TOKEN}`);
  await page.goto(`${board.url}${hash}`);
  await page.locator("main h1").waitFor();
  await act?.(page);
  const path = join(PICTURES, `${name}.png`);
  await writeFile(path, await smallPng(await page.screenshot()));
  const { size: bytes } = await stat(path);
  console.log(`${name}.png ${Math.round(bytes / 1_000)} kB`);
  if (bytes > MAX_BYTES) process.exitCode = 1;
  await context.close();
}

async function untilDrawn(page: Page): Promise<void> {
  await page.locator(".xterm-rows > div span").first().waitFor();
}

/** Waits until the live terminal has drawn its frames up to the permission dialog. */
async function untilAsked(page: Page): Promise<void> {
  await page.locator(".xterm-rows").getByText("Do you want to proceed").waitFor();
}

/** Moves the recording to the permission dialog, which shows the most. */
async function scrub(page: Page): Promise<void> {
  await untilDrawn(page);
  await page.locator(".scrubber").fill("8000");
  await page.getByText("Do you want to proceed").first().waitFor();
}
