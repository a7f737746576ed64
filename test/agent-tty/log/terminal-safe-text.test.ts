import * as fc from "fast-check";
import { Terminal } from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { TerminalSafeText } from "../../../src/agent-tty/log/index.ts";
import { propertyRuns } from "../../support/property-runs.ts";

function safe(chunks: readonly (string | Uint8Array)[], takesInput = false): string {
  const text = new TerminalSafeText(takesInput);
  return Buffer.concat(chunks.map((chunk) => text.push(Buffer.from(chunk as string)))).toString();
}

/** Returns the terminal's replies to this text, and the titles that it sets. */
async function reactions(shown: string): Promise<string[]> {
  const windowOptions = {
    getWinTitle: true,
    getIconTitle: true,
    getWinSizeChars: true,
    getWinPosition: true,
    getWinState: true,
  };
  const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true, windowOptions });
  const heard: string[] = [];
  terminal.onData((data) => heard.push(`typed ${JSON.stringify(data)}`));
  terminal.onBinary((data) => heard.push(`typed ${JSON.stringify(data)}`));
  terminal.onTitleChange((title) => heard.push(`title ${JSON.stringify(title)}`));
  await new Promise<void>((resolve) => terminal.write(shown, resolve));
  terminal.dispose();
  return heard;
}

const ASKING = {
  "device attributes": "\x1b[c\x1b[>c\x1b[=c\x1bZ",
  "device status and cursor position": "\x1b[5n\x1b[6n\x1b[?6n\x1b[?996n",
  "modes (DECRQM)": "\x1b[?2026$p\x1b[4$p",
  "the keyboard protocol": "\x1b[?u\x1b[>1u\x1b[=5;1u",
  "graphics (XTSMGRAPHICS)": "\x1b[?1;1;0S\x1b[?2;1;0S",
  "presentation state (DECRQPSR)": "\x1b[1$w\x1b[2$w",
  "a checksum (DECRQCRA)": "\x1b[1;1;1;1;1;1*y",
  "macros and colours of palettes": "\x1b[#R\x1b[#P\x1b[#Q\x1b[#|",
  "the printer": "\x1b[5i\x1b[?5i\x1b[i",
  "the window": "\x1b[18t\x1b[21t\x1b[20t\x1b[22;0t\x1b[8;5;5t",
  "terminal parameters and version": "\x1b[x\x1b[>q\x1b[>0q\x1b[?4m\x1b[>4;2m",
  colours: "\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]4;1;?\x07",
  "settings (DECRQSS, XTGETTCAP)": "\x1bP$qm\x1b\\\x1bP+q544e\x1b\\",
  "a title, a link and the clipboard":
    "\x1b]0;owned\x07\x1b]2;owned\x1b\\\x1b]8;;https://evil.test\x07x\x1b]52;c;?\x07",
  "local echo, a locked keyboard, another encoding": "\x1b[12l\x1b[2h\x1b%@\x1b%G\x1b F\x1b G",
  enquiry: "\x05",
};
/** Converts a text so that its introducers are C1 controls. */
const C1 = { "[": "\u009b", "]": "\u009d", P: "\u0090", Z: "\u009a", "\\": "\u009c" };
const asC1 = (text: string): string =>
  text.replaceAll(/\x1b([[\]PZ\\])/g, (_, sign: keyof typeof C1) => C1[sign]);

describe("text for a person's terminal contains no queries and sets no title (S10, S23)", () => {
  test.each(Object.entries(ASKING))("%s", async (_, asking) => {
    for (const takesInput of [false, true]) {
      const shown = [
        safe([asking], takesInput),
        safe([asC1(asking)], takesInput),
        safe([Buffer.from(asC1(asking), "latin1")], takesInput),
      ];
      for (const text of shown) {
        expect(await reactions(text)).toEqual([]);
        expect(text).not.toMatch(/[\x1b\x80-\x9f]/);
      }
    }
    // The next test shows that this terminal does react; otherwise this test would prove nothing.
  });

  test("the terminal of these tests answers queries and sets titles when it receives them unfiltered", async () => {
    expect(await reactions("\x1b[c\x1b[6n\x1b]0;owned\x07")).toHaveLength(3);
    expect(await reactions("\u009b6n\u009d0;owned\u009c")).toHaveLength(2);
  });

  const sign = fc.oneof(
    fc.constantFrom(
      ...Array.from(
        "\x1b[]PX^_()?>=<!$*#\"' ;:0123456789\\%cnpqtxyuSRwimhlZ\x05\x07\x18\u009b\u009d\u0090\u009c\u0085",
      ),
    ),
    fc.integer({ min: 0, max: 255 }).map((byte) => Buffer.from([byte])),
    fc.constantFrom(...Object.values(ASKING)),
  );
  const stream = fc
    .array(sign, { maxLength: 60 })
    .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string))));

  test("random bytes, once filtered, make a terminal answer nothing and keep its title", async () => {
    await fc.assert(
      fc.asyncProperty(stream, fc.boolean(), async (bytes, takesInput) => {
        expect(await reactions(safe([bytes], takesInput))).toEqual([]);
      }),
      { numRuns: propertyRuns(300, 5_000) },
    );
  });

  test("any chunking of the bytes results in the same text, and filtering it again changes nothing", () => {
    fc.assert(
      fc.property(stream, fc.nat(), (bytes, cut) => {
        const at = bytes.byteLength === 0 ? 0 : cut % bytes.byteLength;
        const whole = safe([bytes]);
        expect(safe([bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole);
        expect(safe([whole])).toBe(whole);
        expect(whole).not.toMatch(/[\x00-\x06\x10-\x1a\x1c-\x1f\x7f-\x9f]|\x1b[\]PX^_]/);
      }),
      { numRuns: propertyRuns(500, 5_000) },
    );
  });
});

describe("sequences that draw on the screen pass (S23)", () => {
  test.each([
    "plain \u00e9\u4e16 text\r\n\tand\bmore\x07",
    "\x1b[31;1mred\x1b[38:2::1:2:3mtrue\x1b[0m\x1b[H\x1b[2J\x1b[3;4H\x1b[K\x1b[?25l\x1b[?1049h",
    "\x1b7\x1b8\x1b(0lqk\x1b(B\x1bM\x1b[2;5r\x1b[3S\x1b[2T\x1b[4h\x1b[4l\x1b[2 q\x1b[!p\x1b#8",
  ])("%j", (text) => expect(safe([text])).toBe(text));

  test("input modes pass only if the person's keys reach the program", () => {
    expect(safe(["\x1b[?1;1000;1049h"], true)).toBe("\x1b[?1;1000;1049h");
    expect(safe(["\x1b[?1;1000;1049h\x1b[?2004h"])).toBe("\x1b[?1049h");
  });

  test("characters that change the writing direction are replaced by U+FFFD", () => {
    expect(safe(["\u202elive\u2066"])).toBe("\u{fffd}live\u{fffd}");
  });
});
