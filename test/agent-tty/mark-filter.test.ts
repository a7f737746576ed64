import { MarkFilter } from "agent-tty";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

const NONCE = "0123456789abcdef";
const mark = (body: string): string => `\x1b]7717;${NONCE};${body}\x07`;

describe("the mark filter", () => {
  test("the mark filter removes marks and keeps what resembles them (A17)", () => {
    const check = (input: string, output: string, marks: string[]): void => {
      expect(filtered([Buffer.from(input, "latin1")])).toEqual({ output, marks });
    };
    check(`before${mark("D;7")}after`, "beforeafter", ["command-end 7"]);
    check(`${mark("C")}${mark("A;0")}$ ${mark("P")}`, "$ ", ["command-start", "prompt-start 0", "prompt"]);
    check(mark("K"), "", ["continuation"]);
    check("\x1b]7717;other;D;0\x07", "\x1b]7717;other;D;0\x07", []);
    check(mark("D;x"), mark("D;x"), []);
    check(mark("Z"), mark("Z"), []);
    check(`\x1b]7717;${NONCE};D;\n`, `\x1b]7717;${NONCE};D;\n`, []);
    check(`\x1b]7717;\x1b]7717;${NONCE};D;0\x07`, "\x1b]7717;", ["command-end 0"]);
    check(`\x1b]7717;${"9".repeat(500)}`, `\x1b]7717;${"9".repeat(500)}`, []);
    check(`x${mark("D;0").slice(0, 12)}`, `x${mark("D;0").slice(0, 12)}`, []);
  });

  test("any chunking of the same bytes results in the same output and the same marks (A17)", () => {
    const piece = fc.oneof(
      fc.constantFrom(mark("C"), mark("D;0"), mark("D;255"), mark("P"), mark("K")),
      fc.constantFrom("\x1b]7717;", "\x1b", "\x1b]", NONCE, ";", "\x07", "\x1b]7717;bad;D;0\x07", "text"),
      fc.string({ unit: "binary-ascii", maxLength: 12 }),
    );
    const stream = fc.array(piece, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join(""), "latin1"));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 30 }), (bytes, cuts) => {
        expect(filtered(chunksOf(bytes, cuts))).toEqual(filtered([bytes]));
      }),
      { numRuns: 1_000 },
    );
  });

  test("output around a mark is returned unchanged (A17)", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, at) => {
        const plain = Buffer.from(bytes);
        const withMark = Buffer.concat([plain.subarray(0, at), Buffer.from(mark("D;0")), plain.subarray(at)]);
        expect(filtered([withMark]).output).toBe(plain.toString("latin1"));
      }),
    );
  });
});

function filtered(chunks: readonly Buffer[]): { output: string; marks: string[] } {
  const filter = new MarkFilter([NONCE]);
  const pieces = chunks.flatMap((chunk) => filter.push(chunk));
  const output = pieces.flatMap((piece) => (piece.type === "output" ? [piece.bytes.toString("latin1")] : []));
  const marks = pieces.flatMap((piece) =>
    piece.type === "mark"
      ? ["exitCode" in piece.mark ? `${piece.mark.type} ${piece.mark.exitCode}` : piece.mark.type]
      : [],
  );
  return { output: output.join("") + filter.flush().toString("latin1"), marks };
}

function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let from = 0;
  for (const cut of cuts) {
    chunks.push(bytes.subarray(from, from + cut));
    from += cut;
  }
  return [...chunks, bytes.subarray(from)];
}
