import { execa } from "execa";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Home, replaySession } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { writeSession } from "../../test/agent-tty/written-log.ts";
import type { TerminalStream } from "./streams.ts";

/** The screen of a terminal after a stream. */
export interface Shown {
  lines: string[];
  cursor: { row: number; col: number };
}

const LOOK_EVERY_MS = 50;
const MAX_LOOKS = 200;

export async function shownByEngine(home: Home, stream: TerminalStream): Promise<Shown> {
  const history = stream.bytes.byteLength === 0 ? [] : [{ output: stream.bytes }];
  const { sessionId } = await writeSession(home, history, stream);
  const { visibleLines, cursor } = await replaySession(home, sessionId);
  return { lines: visibleLines, cursor: { row: cursor.row, col: cursor.col } };
}

/** Shows the same bytes in a tmux pane, on a separate server without configuration. */
export async function shownByTmux(directory: string, stream: TerminalStream): Promise<Shown> {
  await mkdir(directory, { recursive: true });
  const [file, socket] = [join(directory, "stream"), join(directory, "tmux")];
  await writeFile(file, stream.bytes);
  const tmux = async (...args: string[]): Promise<string> =>
    (await execa("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env: { LANG: "C.UTF-8" } })).stdout;
  const show = `stty raw -echo; cat '${file}'; touch '${file}.done'; sleep 60`;
  const size = ["-x", String(stream.cols), "-y", String(stream.rows)];
  await tmux(
    "new-session",
    "-d",
    ...size,
    show,
    ";",
    "set",
    "-g",
    "status",
    "off",
    ";",
    "resize-window",
    ...size,
  );
  try {
    return await settled(tmux);
  } finally {
    await tmux("kill-server").catch(() => "");
  }
}

/** tmux does not report when it has read everything, so the function waits until the screen stays the same for a while. */
async function settled(tmux: (...args: string[]) => Promise<string>): Promise<Shown> {
  let before = "";
  let same = 0;
  for (let look = 0; look < MAX_LOOKS && same < 4; look += 1) {
    await systemClock.sleep(LOOK_EVERY_MS);
    const text = await tmux(
      "display",
      "-p",
      "#{cursor_y} #{cursor_x} #{pane_width}x#{pane_height}",
      ";",
      "capture-pane",
      "-p",
    );
    same = text === before ? same + 1 : 0;
    before = text;
  }
  const [place = "", ...lines] = before.split("\n");
  const [row = 0, col = 0] = place.split(" ").map(Number);
  return { lines: lines.map((line) => line.trimEnd()), cursor: { row, col } };
}
