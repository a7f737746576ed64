import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHome } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { chromium, type Page } from "playwright-core";
import { CELL, cellColors, compareCells } from "../test/agent-tty/render/cell-colors.ts";
import { pixelsOf, printed, screenshotOf, SIZE } from "../test/agent-tty/render/drawn-screen.ts";
import { chromiumPath } from "../test/support/board/browser.ts";
import { browserPage } from "./screenshots/browser-page.ts";

/**
 * Draws the screens of test/fixtures/screens with xterm.js in Chromium and compares them, cell by cell, with the engine's; both
 * pictures of each screen stay in a directory for inspection. `--write` keeps Chromium's pictures as the reference for the
 * default tests. CHROMIUM names another browser than Debian's.
 */
const ROOT = join(import.meta.dirname, "..");
const SCREENS = join(ROOT, "test/fixtures/screens");
const PICTURES = join(tmpdir(), "agent-tty-screenshots");

try {
  await access(chromiumPath);
} catch {
  console.error(
    `skipped: no browser at ${chromiumPath}; apt-get install chromium, or name one with CHROMIUM`,
  );
  process.exit(0);
}
const homeDirectory = await mkdtemp(join(tmpdir(), "agent-tty-screenshots-home-"));
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox", "--disable-lcd-text", "--font-render-hinting=none", "--force-device-scale-factor=1"],
});
try {
  const clock = systemClock;
  const home = await openHome({ directory: homeDirectory, clock, ids: systemIds(clock) });
  await mkdir(PICTURES, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await page.setContent(await browserPage());
  await page.evaluate("ready()");
  const screens = (await readdir(SCREENS)).filter((name) => name.endsWith(".ansi"));
  let differing = 0;
  for (const screen of screens) {
    const name = screen.replace(/\.ansi$/, "");
    const bytes = await readFile(join(SCREENS, screen));
    const ours = await screenshotOf(home, await printed(home, bytes));
    differing += await compare(name, ours, await drawnByChromium(page, bytes));
  }
  console.log(`${screens.length} screens, ${differing} cells differ; pictures in ${PICTURES}`);
  process.exitCode = differing === 0 ? 0 : 1;
} finally {
  await browser.close();
  await rm(homeDirectory, { recursive: true, force: true });
}

async function drawnByChromium(page: Page, bytes: Buffer): Promise<Buffer> {
  await page.evaluate(`draw("${bytes.toString("base64")}", ${SIZE.cols}, ${SIZE.rows})`);
  const width = SIZE.cols * CELL.width + 2 * CELL.margin;
  const height = SIZE.rows * CELL.height + 2 * CELL.margin;
  return page.screenshot({ clip: { x: 0, y: 0, width, height } });
}

async function compare(name: string, ours: Buffer, theirs: Buffer): Promise<number> {
  await writeFile(join(PICTURES, `${name}.ours.png`), ours);
  await writeFile(join(PICTURES, `${name}.chromium.png`), theirs);
  const reference = cellColors(await pixelsOf(theirs));
  if (process.argv.includes("--write"))
    await writeFile(join(SCREENS, `${name}.cells`), `${reference.join("\n")}\n`);
  const cells = compareCells(cellColors(await pixelsOf(ours)), reference);
  const places = cells.map(({ row, col, distance }) => `${row}:${col} by ${distance}`);
  console.log(`${name}: ${cells.length} cells differ ${places.slice(0, 16).join(", ")}`);
  return cells.length;
}
