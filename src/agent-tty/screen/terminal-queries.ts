import type { IDisposable, Terminal } from "@xterm/headless";
import { PROGRAM_REPORT } from "./program-report.ts";

/** The dark theme's colours. A program that asks for the terminal's colours gets these, even after it has set its own. */
const THEME_COLORS = { foreground: "#dfe2e7", background: "#16181d", cursor: "#dfe2e7" } as const;

const MAX_CAPABILITIES = 16;

/** XTGETTCAP: the capabilities that are reported, by their names in hex. */
const CAPABILITIES: ReadonlyMap<string, string> = new Map(
  [
    ["TN", "xterm-256color"],
    ["Co", "256"],
    ["colors", "256"],
    ["RGB", "8"],
  ].map(([name = "", value = ""]) => [hex(name), `${hex(name)}=${hex(value)}`]),
);

/** The colours of OSC 10, 11 and 12, in this order: one request may ask for several. */
const COLORS = [THEME_COLORS.foreground, THEME_COLORS.background, THEME_COLORS.cursor];

/**
 * Answers the queries that the emulator does not answer, and returns the subscriptions. Every answer is one of a few fixed texts,
 * so a program's output can at most choose between them and cannot inject input (S10).
 */
export function answerQueries({ parser }: Terminal, reply: (text: string) => void): IDisposable[] {
  const answered = (text: string): true => {
    reply(text);
    return true;
  };
  return [
    // XTVERSION.
    parser.registerCsiHandler({ prefix: ">", final: "q" }, () => answered("\x1bP>|agent-tty\x1b\\")),
    // The kitty keyboard protocol is recognised but never enabled: keys are sent in the classic encoding.
    parser.registerCsiHandler({ prefix: "?", final: "u" }, () => answered("\x1b[?0u")),
    // Colour scheme: dark.
    parser.registerCsiHandler({ prefix: "?", final: "n" }, ([kind]) =>
      kind === 996 ? answered("\x1b[?997;1n") : false,
    ),
    // Programs that can report their state (OSC 7501) first ask whether the terminal supports it.
    parser.registerOscHandler(PROGRAM_REPORT, (request) =>
      request === "?" ? answered(`\x1b]${PROGRAM_REPORT};?1\x1b\\`) : false,
    ),
    parser.registerDcsHandler({ intermediates: "+", final: "q" }, (names) => answered(capabilities(names))),
    ...COLORS.map((_, first) =>
      parser.registerOscHandler(10 + first, (request) => {
        for (const text of colorReplies(first, request)) reply(text);
        return true;
      }),
    ),
  ];
}

function capabilities(request: string): string {
  const names = request.toUpperCase().split(";").slice(0, MAX_CAPABILITIES);
  const known = names.flatMap((name) => CAPABILITIES.get(name) ?? []);
  return known.length === 0 ? "\x1bP0+r\x1b\\" : `\x1bP1+r${known.join(";")}\x1b\\`;
}

function colorReplies(first: number, request: string): string[] {
  return request.split(";", COLORS.length).flatMap((part, index) => {
    const color = COLORS[first + index];
    return part === "?" && color !== undefined ? [`\x1b]${10 + first + index};${rgb(color)}\x1b\\`] : [];
  });
}

/** Returns a colour in X11's form, with 16 bits per channel. */
function rgb(color: string): string {
  return `rgb:${[1, 3, 5].map((at) => color.slice(at, at + 2).repeat(2)).join("/")}`;
}

function hex(text: string): string {
  return Buffer.from(text).toString("hex").toUpperCase();
}
