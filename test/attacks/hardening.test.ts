import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { inertJson } from "../../src/github/inert-json.ts";
import { jobSummary } from "../../src/cli/output/index.ts";
import {
  createOctokitGithub,
  maskSecrets,
  parseTrustedAuthors,
  sanitiseInbound,
  textAsMarkdown,
} from "../../src/github/index.ts";
import { createCanaryDetector, parentSecrets } from "../../src/triage/index.ts";
import { playOnPaper } from "../support/attacks/play-on-paper.ts";
import { attacks } from "../support/attacks/rows/index.ts";

describe("hostile text is processed in linear time (S11)", () => {
  test("many unfinished token prefixes are left unchanged", () => {
    const text = "eyJ".repeat(200_000);
    expect(maskSecrets(text)).toBe(text);
  });

  test.each(["*a_ ", "a\n=\n", "[a][b]", "[a]: b\n"])(
    "a body that only repeats %j is not parsed",
    (piece) => {
      // The sanitiser separates the brackets of a link only in text that it does not parse.
      expect(sanitiseInbound(`${piece.repeat(65_000 / piece.length)} [x](y)`).text).toMatch(/\[x\] \(y\)$/);
    },
  );

  // A Markdown parser would need seconds for each; `textAsMarkdown` makes one pass over the lines and one over the words.
  test.each(["](", "1. a\n   ", "> - ", "*a_ ", "`", "a`", "[a]: b\n", "<!--", "~~~\n", "$`"])(
    "model text that only repeats %j grows to at most six times its length",
    (piece) => {
      const text = piece.repeat(64_000 / piece.length);
      expect(textAsMarkdown(text).length).toBeLessThanOrEqual(6 * text.length);
    },
  );
});

test("truncation never cuts a token in half (S18)", async () => {
  const attack = attacks.find(({ name }) => name === "a token that the end of its text cuts in half");
  if (attack === undefined) throw new Error("the attack is gone");
  const [comment = ""] = (await playOnPaper(attack)).seen.comments;
  expect(comment).toContain("characters not shown");
  expect(comment).not.toContain("ghp_");
});

describe("a private key is recognised by its bytes in any rewritten form (S8)", () => {
  const bytes = Buffer.from(Array.from({ length: 144 }, (_, at) => (at * 73 + 41) % 256));
  const lines = bytes.toString("base64").match(/.{64}/g) ?? [];
  const pem = ["-----BEGIN RSA PRIVATE KEY-----", ...lines, "-----END RSA PRIVATE KEY-----"].join("\n");
  const canaries = createCanaryDetector(parentSecrets({ AFK_TRIAGE_APP_PRIVATE_KEY: pem }));
  test.each([
    ["in hex", bytes.subarray(50, 90).toString("hex")],
    ["within another file", Buffer.concat([Buffer.alloc(26), bytes]).toString("base64")],
    [
      "with marks on its letters",
      (lines[1] ?? "").replaceAll(/[a-z]/g, (c) => `${c}\u{301}`.normalize("NFC")),
    ],
    ["taken back by a terminal", Array.from(lines[1] ?? "").join("x\b")],
  ])("%s", (_, text) => expect(canaries.find(text)?.name).toBe("AFK_TRIAGE_APP_PRIVATE_KEY"));
});

test("a number in the list of trusted authors is a user id, not a login that anybody may register (S4)", () => {
  expect(parseTrustedAuthors("41898282, octocat")).toEqual([41_898_282, "octocat"]);
});

test("a response with a different issue number is rejected (S6)", async () => {
  const issue = {
    number: 1,
    title: "another",
    state: "open",
    labels: [],
    created_at: "2026-04-30T10:00:00Z",
    updated_at: "2026-04-30T10:00:00Z",
    html_url: "https://github.com/octo/widgets/issues/1",
  };
  const server = createServer((_, response) => {
    response
      .writeHead(200, { "content-type": "application/json", connection: "close" })
      .end(JSON.stringify(issue));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { reader } = createOctokitGithub({
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credential: { type: "token", token: "a token of this test" },
      userAgent: "test",
      clock: systemClock,
      pacing: "none",
    });
    const asked = (number: number): Promise<unknown> =>
      reader.issue({ repo: "octo/widgets", number }, AbortSignal.timeout(10_000));
    await expect(asked(7)).rejects.toMatchObject({ code: "GITHUB_UNEXPECTED_ANSWER" });
    await expect(asked(1)).resolves.toMatchObject({ type: "found" });
  } finally {
    server.close();
  }
});

test("the output of a batch contains no invisible characters and no live address (S10)", () => {
  const words = "see https://evil.example/x](y) www.evil.example a@b.example \u{ad}\u{feff}\u{e0041}\u{2060}";
  expect(inertJson({ words })).not.toMatch(/\p{Default_Ignorable_Code_Point}/u);
  expect(JSON.parse(inertJson({ words }))).toEqual({ words });
  const summary = jobSummary(
    {
      runId: "20260430T141500Z",
      totals: { applied: 0, skipped: 0, locked: 0, requeued: 0, failed: 0 },
      issues: [],
      stranded: [],
      kept: [],
    } as unknown as Parameters<typeof jobSummary>[0],
    [words],
  );
  expect(summary).toContain("see https: //evil.example/x");
  expect(summary).not.toMatch(/:\/\/|www\.|a(?:@|&#64;)b/);
});
