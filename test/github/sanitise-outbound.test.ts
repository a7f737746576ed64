import * as fc from "fast-check";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { fenced, sanitiseInline, sanitiseOutbound } from "../../src/github/index.ts";
import { propertyRuns } from "../support/property-runs.ts";

const rules = {
  reporterLogin: "reporter",
  repo: "octo/widgets",
  allowedUrlPrefixes: ["https://github.com/octo/widgets/"],
} as const;

/** Pieces attacks are made of, glued in any order. */
const hostile = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "@everyone",
          "@reporter",
          "@org/team",
          "#1",
          "other/repo#2",
          "fixes ",
          "closes: ",
          "GH-3",
          "https://evil.test/x",
          "https://github.com/octo/widgets/issues/1",
          "www.evil.test",
          "a@evil.test",
          "[text](https://evil.test)",
          "![alt](https://evil.test/i.png)",
          "[ref]",
          "[ref]: https://evil.test 'title'",
          "<details>",
          "</details>",
          "<script>",
          "<!--",
          "-->",
          "<img src=x>",
          "<https://evil.test>",
          "```",
          "~~~",
          "`",
          "``",
          "|",
          "\n|a|b|\n|-|-|\n",
          "> ",
          "- ",
          "1. ",
          "# ",
          "\n",
          "\n\n",
          "    ",
          "\t",
          "*",
          "**",
          "_",
          "~",
          "\\",
          "&lt;",
          "&#64;",
          "$",
          "$$",
          "[^1]",
          "[^1]: ",
          "[x](",
          ")",
          "]",
          "[",
          "!",
          "\u202e",
          "\u200b",
          "\x1b[31m",
          "\r",
          "::set-output name=x::",
          "***",
          "---",
          "===",
          ":",
          "http://",
          " ",
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(""));

function nodesOf(markdown: string): Nodes[] {
  const all: Nodes[] = [];
  const walk = (node: Nodes): void => {
    all.push(node);
    if ("children" in node) for (const child of node.children) walk(child);
  };
  walk(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  return all;
}

const LIVE_NODES = new Set(["html", "image", "imageReference", "linkReference", "definition", "heading"]);
const LIVE_TEXT = /@[a-z\d][\w-]*|[\w.-]+\/[\w.-]+#\d+|(?<!\w)https?:\/\/\w|(?<!\w)www\.\w/gi;

/** What GitHub would act on: everything of this is gone after sanitising. */
function liveParts(markdown: string): string[] {
  return nodesOf(markdown).flatMap((node) => {
    if (LIVE_NODES.has(node.type)) return [node.type];
    if (node.type === "link") {
      return node.url.startsWith(rules.allowedUrlPrefixes[0]) ? [] : [`link ${node.url}`];
    }
    const found = node.type === "text" ? (node.value.match(LIVE_TEXT) ?? []) : [];
    return found.filter((part) => part.toLowerCase() !== "@reporter" && part !== "octo/widgets#1");
  });
}

describe("published text", () => {
  const check = (markdown: string, expected: string): void => {
    expect(sanitiseOutbound(markdown, rules)).toBe(expected);
  };

  test("S7: only the reporter is mentioned", () => {
    expect.hasAssertions();
    check("thanks @reporter, cc @everyone", "thanks @reporter, cc `@everyone`");
    check("@Reporter: see @octo/team or a@b.test", "@Reporter: see `@octo/team` or `a@b.test`");
    check("&#64;everyone and @every**one**", "`@everyone` and `@every`**one**");
    check("`@everyone` in code stays", "`@everyone` in code stays");
    check("\\@everyone a@b@everyone", "`@everyone` `a@b@everyone`");
  });

  test("S7: nothing is closed, and no other repository is referenced", () => {
    expect.hasAssertions();
    check("see #12 and octo/widgets#3", "see #12 and octo/widgets#3");
    check("Fixes #12", "Fixes `#12`");
    check("closes: **#12**", "closes: **`#12`**");
    check(
      "resolved octo/widgets#12, other/repo#1, GH-4",
      "resolved `octo/widgets#12`, `other/repo#1`, `GH-4`",
    );
    check(
      "fixes https://github.com/octo/widgets/issues/5",
      "fixes `https://github.com/octo/widgets/issues/5`",
    );
    check("other/repo@0123456789", "`other/repo@0123456789`");
  });

  test("S7: addresses outside the allow-list are shown, not linked; images go", () => {
    expect.hasAssertions();
    check('[docs](https://evil.test/a "title")', "docs `https://evil.test/a`");
    check(
      "https://evil.test/a www.evil.test ftp://evil.test",
      "`https://evil.test/a` `www.evil.test` `ftp://evil.test`",
    );
    check(
      "[a](https://github.com/octo/widgets/issues/1 't')",
      "[a](https://github.com/octo/widgets/issues/1)",
    );
    check(
      "[a](https://github.com/octo/widgets/../../evil)",
      "a `https://github.com/octo/widgets/../../evil`",
    );
    check("[a](https://github.com/octo/widgets.evil)", "a `https://github.com/octo/widgets.evil`");
    check("[a](javascript:alert(1)) [b](../x)", "a `javascript:alert(1)` b `../x`");
    check("[a][r]\n\n[r]: https://evil.test", "a `https://evil.test`");
    check("![secret](https://evil.test/?q=1)", "(image removed)");
  });

  test("S7: no markup breaks out of where the text is put", () => {
    expect.hasAssertions();
    check("</details>\n\nafter", "\\</details>\n\nafter");
    check("<!-- afk-triage:v1 -->", "\\<!-- afk-triage:v1 -->");
    check("# Verified by the parent", "**Verified by the parent**");
    check("```\nunclosed", "```\nunclosed\n```");
    check("````md\n```\n@x\n```\n````", "````md\n```\n@x\n```\n````");
    check("```mermaid\nclick\n```", "```\nclick\n```");
    check("text $x$ a|b", "text \\$x\\$ a\\|b");
    check("note[^1]\n\n[^1]: text @everyone", "note(note 1)\n\ntext `@everyone`");
  });

  test("S10, S18: escape sequences, commands and secrets are inert", () => {
    expect.hasAssertions();
    check("a\x1b[31mb\x1b]8;;https://evil.test\x07c", "abc");
    check("x\n\n::set-output name=a::b", "x\n\n: :set-output name=a::b");
    check(`token ghp_${"a".repeat(36)}(https://evil.test)`, "token redacted secret `https://evil.test`");
    check(`\`\`\`\nAKIA${"A".repeat(16)}\n\`\`\``, "```\n[redacted secret]\n```");
  });

  test("S7: text that cannot be judged is published as code", () => {
    expect(sanitiseOutbound(`${"> ".repeat(500)}@everyone`, rules)).toMatch(/^```text\n/);
    const long = sanitiseOutbound(`@everyone ${"a ".repeat(60_000)}`, rules);
    expect(long).toMatch(/^```text\n[\s\S]*characters not shown\)\n```$/);
    expect(long.length).toBeLessThan(65_536);
    expect(liveParts(long)).toEqual([]);
  });

  test("S7: whatever goes in, nothing live comes out, and doing it again changes nothing", () => {
    fc.assert(
      fc.property(hostile, (markdown) => {
        const once = sanitiseOutbound(markdown, rules);
        expect(liveParts(once)).toEqual([]);
        expect(sanitiseOutbound(once, rules)).toBe(once);
      }),
      { numRuns: propertyRuns(250, 800) },
    );
  });

  test("S7: inside <details>, a list or a table it stays there", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cell = sanitiseInline(text, rules);
        expect(cell).not.toMatch(/\n/);
        expect(liveParts(cell)).toEqual([]);
        const rows = nodesOf(`| a | b |\n| - | - |\n| ${cell} | end |\n\nafter`);
        expect(rows.filter(({ type }) => type === "tableCell")).toHaveLength(4);
        expect(rows.filter(({ type }) => type === "table")).toHaveLength(1);
      }),
      { numRuns: propertyRuns(200, 500) },
    );
  });
});

test("S7: a fence is never ended by its text", () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), (text) => {
      const [root, ...rest] = nodesOf(`${fenced(text)}\nafter`);
      expect(root).toMatchObject({ type: "root" });
      expect(rest.map(({ type }) => type)).toEqual(["code", "paragraph", "text"]);
      const normalised = text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\u{fffd}");
      expect(rest[0]).toMatchObject({ value: normalised });
    }),
  );
});
