import type { Command } from "commander";
import { openCommandHome } from "./command-home.ts";
import type { StopSignal } from "./stop-signal.ts";
import type { CommandResult } from "./report.ts";
import { oneOf, usageError, wholeNumber } from "./usage.ts";

const FORMATS = ["asciicast", "gif", "svg", "html", "webm"] as const;
const TIMINGS = ["recorded", "accelerated", "max-speed"] as const;
const THEME_NAMES = ["dark", "light"] as const;

type Finish = (command: string, result: CommandResult | null) => void;

interface ScreenshotArguments {
  home?: string;
  theme: string;
  showCursor?: boolean;
  atSeq?: string;
}

interface ExportArguments {
  home?: string;
  out?: string;
  format: string;
  timing: string;
  theme?: string;
}

/** Adds the commands for pictures and recordings. All of them read the Event Log; none calls a live host. */
export function addCaptureCommands(
  add: (name: string, description: string) => Command,
  group: (name: string, description: string) => Command,
  signal: StopSignal,
  finish: Finish,
): void {
  add("screenshot <id>", "the screen of a Session as a PNG, from its Event Log")
    .option("--theme <theme>", "dark or light", "dark")
    .option("--show-cursor", "draw the cursor")
    .option("--at-seq <n>", "as it was at this event")
    .action(async (id: string, options: ScreenshotArguments) => {
      const theme = oneOf("--theme", options.theme, THEME_NAMES);
      const atSeq = options.atSeq === undefined ? null : wholeNumber("--at-seq", options.atSeq, 0);
      const { screenshot } = await import("./commands/screenshot.ts");
      const home = await openCommandHome(options.home);
      const look = { theme, showCursor: options.showCursor ?? false };
      finish("screenshot", await screenshot(home, id, { ...look, atSeq }));
    });
  group("record", "recordings of a Session")
    .command("export <id>")
    .description("write a recording as a file")
    .option("--out <file>", "where to write it (default: among the Session's artifacts)")
    .option("--home <dir>", "where Sessions live (default: AGENT_TTY_HOME or ~/.agent-tty)")
    .option("--json", "one JSON document on stdout")
    .option("--format <format>", FORMATS.join(", "), "asciicast")
    .option("--timing <timing>", "recorded, accelerated or max-speed", "recorded")
    .option("--theme <theme>", "dark or light: for gif, svg, html and webm (default: dark)")
    .action(async (id: string, options: ExportArguments) => {
      const format = oneOf("--format", options.format, FORMATS);
      const timing = oneOf("--timing", options.timing, TIMINGS);
      const theme = oneOf("--theme", options.theme ?? "dark", THEME_NAMES);
      if (format === "asciicast" && options.theme !== undefined)
        throw usageError("an asciicast has no theme: its player chooses", "Leave --theme out");
      if (options.out === "") throw usageError("--out takes a file, not an empty text", "Name one");
      const { recordExport } = await import("./commands/record-export.ts");
      const home = await openCommandHome(options.home);
      const out = options.out ?? null;
      finish("record export", await recordExport(home, id, { out, format, timing, theme, signal: signal() }));
    });
}
