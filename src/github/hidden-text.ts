/**
 * The ways in which text can be in an issue so that a maintainer does not see it on GitHub, but a program that reads the source
 * does.
 */
export const hiddenTextKinds = [
  "html-comment",
  "encoded-comment",
  "hidden-html",
  "html-attribute",
  "folded-section",
  "link-title",
  "link-address",
  "empty-link",
  "image-text",
  "link-definition",
  "code-info",
  "drawn-code",
  "table-cell",
  "control-characters",
  "bidi-controls",
  "tag-characters",
  "zero-width-characters",
] as const;
export type HiddenTextKind = (typeof hiddenTextKinds)[number];

/** One kind of hidden text found in a text: its count, and the beginning of the hidden text as plain text (S2). */
export interface HiddenTextFlag {
  kind: HiddenTextKind;
  count: number;
  excerpt: string;
}

const EXCERPT_MAX_CHARACTERS = 200;

export interface FlagRecorder {
  record(kind: HiddenTextKind, hidden: string): void;
  flags(): HiddenTextFlag[];
}

/** Returns a recorder that counts hidden text by kind and keeps a bounded excerpt of each kind. */
export function createFlagRecorder(): FlagRecorder {
  const found = new Map<HiddenTextKind, HiddenTextFlag>();
  return {
    record: (kind, hidden) => {
      const flag = found.get(kind) ?? { kind, count: 0, excerpt: "" };
      flag.count += 1;
      flag.excerpt = (flag.excerpt + hidden).slice(0, EXCERPT_MAX_CHARACTERS);
      found.set(kind, flag);
    },
    flags: () => hiddenTextKinds.flatMap((kind) => found.get(kind) ?? []),
  };
}
