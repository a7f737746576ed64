import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession, exportAsciicast, openHome, replaySession } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";

/** Creates the README's picture and recording from a real run of the demo in a Session. Run `npm run build` first. */
const ROOT = join(import.meta.dirname, "..");
const [COLS, ROWS] = [104, 46];
const FONT = { size: 13, cellWidth: 7.8, lineHeight: 17, margin: 14 };

const directory = await mkdtemp(join(tmpdir(), "afk-"));
try {
  const home = await openHome({
    directory: join(directory, "sessions"),
    clock: systemClock,
    ids: systemIds(systemClock),
  });
  const session = await createSession(home, {
    command: [process.execPath, join(ROOT, "dist/afk-triage.js"), "demo", "--home", join(directory, "home")],
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory, LANG: "C.UTF-8" },
    cols: COLS,
    rows: ROWS,
    name: "afk-triage demo",
  });
  const exit = await session.exited;
  if (exit.type !== "code" || exit.code !== 0) throw new Error(`the demo ended with ${JSON.stringify(exit)}`);
  await exportAsciicast(home, session.id, join(ROOT, "docs/demo.cast"));
  const snapshot = await replaySession(home, session.id);
  await writeFile(join(ROOT, "docs/demo.svg"), picture(snapshot.visibleLines));
} finally {
  await rm(directory, { recursive: true, force: true });
}

function picture(lines: readonly string[]): string {
  const width = Math.round(COLS * FONT.cellWidth + 2 * FONT.margin);
  const height = lines.length * FONT.lineHeight + 2 * FONT.margin;
  const rows = lines.map((line, row) => {
    const y = FONT.margin + (row + 1) * FONT.lineHeight - 4;
    return `<text x="${FONT.margin}" y="${y}" xml:space="preserve">${escapeXml(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>The end of a demo run in a terminal</title>",
    `<rect width="100%" height="100%" rx="8" fill="#16181d"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT.size}" fill="#d8dee9">`,
    ...rows,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
