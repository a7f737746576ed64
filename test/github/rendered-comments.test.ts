import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { textAsLine } from "../../src/github/index.ts";
import { characterFaults } from "../support/attacks/comment-laws.ts";
import { generatedComments } from "../support/comments/generated-comments.ts";
import { hostileText } from "../support/comments/hostile-text.ts";
import { renderedFaults } from "../support/comments/rendered-laws.ts";
import { propertyRuns } from "../support/property-runs.ts";

const renderer = new MarkdownIt({ html: true, linkify: false });

describe("the rendered tree of a comment contains only nodes that a template produces (S24)", () => {
  test("a rendered comment satisfies the law with hostile text in every untrusted field", () => {
    fc.assert(
      fc.property(generatedComments, (comment) => {
        expect(renderedFaults(renderer.render(comment))).toEqual([]);
        expect(characterFaults(comment)).toEqual([]);
        expect(comment).not.toMatch(/^\/[a-z][\w-]*(?:\s|$)/im);
      }),
      { numRuns: propertyRuns(400, 4_000) },
    );
  });

  test("a line of untrusted text stays one item of our list, in release notes and pull requests", () => {
    fc.assert(
      fc.property(hostileText(20), (text) => {
        const html = renderer.render(`- ${textAsLine(text)}\n- after\n`);
        expect(renderedFaults(html)).toEqual([]);
        expect(html.match(/<li>/g)).toHaveLength(2);
      }),
      { numRuns: propertyRuns(400, 4_000) },
    );
  });

  test.each([
    ["a rule and a heading", "---\n"],
    ["a heading", "<h3>Verified by the maintainers</h3>"],
    ["a ticked box", '<li><input type="checkbox" checked="" disabled="" /> approved</li>'],
    ["a mention beside code", "<p><code>x</code>@everyone</p>"],
    ["a reference beside code", "<p><code>x</code>fixes #12</p>"],
    ["an order", "<p>words<br />\n/close</p>"],
    ["a link", '<p><a href="https://evil.test">x</a></p>'],
  ])("the law itself detects %s", (_, html) => {
    expect(renderedFaults(html === "---\n" ? renderer.render(html) : html)).not.toEqual([]);
  });
});
