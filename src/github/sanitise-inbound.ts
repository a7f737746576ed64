import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { hiddenEntityEdits } from "./hidden-entities.ts";
import { hiddenGfmEdits } from "./hidden-gfm.ts";
import { hiddenMathEdits } from "./hidden-math.ts";
import { hiddenNodeEdit, rangeOf } from "./hidden-nodes.ts";
import {
  createFlagRecorder,
  type FlagRecorder,
  type HiddenTextFlag,
  type HiddenTextKind,
} from "./hidden-text.ts";
import { decodeTagCharacters, type InvisibleKind, removeInvisible } from "./invisible-characters.ts";
import { isParseable, visitNodes } from "./markdown.ts";
import { applyEdits, type Edit } from "./text-edits.ts";

export interface SanitisedText {
  text: string;
  flags: HiddenTextFlag[];
}

/** The maximum number of characters that are read, which is more than GitHub's maximum length of a body. */
const INBOUND_MAX_CHARACTERS = 70_000;

/**
 * Returns untrusted Markdown as its reader on GitHub sees it, for a program that reads the source (S2): text that GitHub hides is
 * removed or made visible, and flagged. Everything else keeps its characters; code loses only invisible characters. The text
 * stays data: it is not escaped for a template or a shell, because it must never be inserted into one.
 */
export function sanitiseInbound(markdown: string): SanitisedText {
  const recorder = createFlagRecorder();
  let text = withoutInvisible(
    markdown.slice(0, INBOUND_MAX_CHARACTERS).replaceAll(/\r\n?|[\u2028\u2029]/g, "\n"),
    recorder,
  );
  // A removal can join the surrounding text into new hidden text, so the pass is repeated until nothing changes.
  for (let pass = 0; pass < 8 && isParseable(text); pass += 1) {
    const seen = pass === 0 ? recorder : onlyNew(recorder);
    const next = withoutInvisible(withoutHidden(text, seen), seen);
    if (next === text) return { text, flags: recorder.flags() };
    text = next;
  }
  // The text is too complex to parse as Markdown: without formulas, `<` and link brackets it cannot hide anything.
  text = applyEdits(text, hiddenMathEdits(text, [], recorder));
  return { text: text.replaceAll("<", "&lt;").replaceAll("](", "] ("), flags: recorder.flags() };
}

/**
 * Returns the recorder for later passes. They find the folds and diagrams again that the first pass reported, so these are not
 * recorded again.
 */
function onlyNew(recorder: FlagRecorder): FlagRecorder {
  return {
    ...recorder,
    record: (kind, hidden) => {
      if (kind !== "folded-section" && kind !== "drawn-code") recorder.record(kind, hidden);
    },
  };
}

const INVISIBLE_KINDS: Record<InvisibleKind, HiddenTextKind> = {
  control: "control-characters",
  bidi: "bidi-controls",
  tag: "tag-characters",
  "zero-width": "zero-width-characters",
};

function withoutInvisible(text: string, recorder: FlagRecorder): string {
  return removeInvisible(text, (kind, character) =>
    recorder.record(
      INVISIBLE_KINDS[kind],
      kind === "tag" ? decodeTagCharacters(character) : codePoint(character),
    ),
  );
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")} `;
}

function withoutHidden(text: string, recorder: FlagRecorder): string {
  const tree = fromMarkdown(text);
  const judged: [number, number][] = [];
  const referenced = new Set<string>();
  const defined = new Map<string, Nodes>();
  visitNodes(tree, (node) => {
    if (node.type === "code" || node.type === "inlineCode" || node.type === "html")
      judged.push(rangeOf(node));
    if (node.type === "linkReference" || node.type === "imageReference") referenced.add(node.identifier);
    if (node.type === "definition" && !defined.has(node.identifier)) defined.set(node.identifier, node);
  });
  const edits: Edit[] = [
    ...hiddenMathEdits(text, judged, recorder),
    ...hiddenEntityEdits(text, judged, recorder),
    ...hiddenGfmEdits(text, recorder),
  ];
  visitNodes(tree, (node) => {
    const source = text.slice(...rangeOf(node));
    // When a name is defined several times, the first definition counts.
    const isReferenced =
      node.type === "definition" && referenced.has(node.identifier) && defined.get(node.identifier) === node;
    const edit = hiddenNodeEdit(node, { source, isReferenced }, recorder);
    if (edit !== null) edits.push(edit);
  });
  return applyEdits(text, edits);
}
