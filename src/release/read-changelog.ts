import type { Heading, Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { canonicalVersion } from "./release-tag.ts";

/** A changelog in the form of https://keepachangelog.com, with one second-level heading per version. */
export interface Changelog {
  text: string;
  /** null if there is no such heading. */
  unreleased: ChangelogSection | null;
  /** The released versions, in the order of the file. */
  released: readonly (ChangelogSection & { version: string })[];
}

export interface ChangelogSection {
  /** Offsets in the text: the start of its heading, and the end of its body. */
  start: number;
  end: number;
  /** The body without the heading, trimmed. */
  body: string;
  /** Third-level headings that have content below them. */
  groups: readonly string[];
}

/** Returns the `##` sections of a changelog in the format of Keep a Changelog, with their offsets in the text. */
export function readChangelog(text: string): Changelog {
  const headings = fromMarkdown(text).children.filter(
    (node): node is Heading => node.type === "heading" && node.depth <= 3,
  );
  const tops = headings.filter(({ depth }) => depth <= 2);
  const sections = tops.flatMap((heading, index) => {
    if (heading.depth !== 2) return [];
    const end = tops[index + 1] === undefined ? text.length : startOf(tops[index + 1] as Heading);
    const inner = headings.filter(
      (one) => one.depth === 3 && startOf(one) > startOf(heading) && startOf(one) < end,
    );
    const section: ChangelogSection = {
      start: startOf(heading),
      end,
      body: text.slice(endOf(heading), end).trim(),
      groups: inner.flatMap((one, at) => {
        const next = inner[at + 1];
        const below = text.slice(endOf(one), next === undefined ? end : startOf(next)).trim();
        return below === "" ? [] : [titleOf(one)];
      }),
    };
    return [{ title: titleOf(heading), section }];
  });
  return {
    text,
    unreleased: sections.find(({ title }) => /^\[?unreleased\]?$/i.test(title))?.section ?? null,
    released: sections.flatMap(({ title, section }) => {
      const version = versionIn(title);
      return version === null ? [] : [{ ...section, version }];
    }),
  };
}

/** Returns the version of a heading such as `1.2.0`, `[1.2.0] - 2026-11-22` or `v1.2.0 (2026-11-22)`; null: there is none. */
function versionIn(title: string): string | null {
  return canonicalVersion(/^\[?v?([0-9][^\s\]]*)/.exec(title)?.[1] ?? "");
}

function titleOf(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(titleOf).join("") : "";
}

function startOf({ position }: Heading): number {
  return position?.start.offset ?? 0;
}

function endOf({ position }: Heading): number {
  return position?.end.offset ?? 0;
}
