import { normalisedText, removeInvisible } from "../../github/index.ts";
import { matchesAny } from "./compiled-expressions.ts";
import { declaredSigns } from "./declared-signs.ts";
import { foreignLanguageSigns } from "./foreign-language-signs.ts";
import { namedSigns } from "./named-signs.ts";
import { plainSigns } from "./plain-signs.ts";
import { PAYLOAD_EFFECT, payloadSigns, proofSigns } from "./proof-signs.ts";
import type { SecuritySign, SignPatterns } from "./security-sign.ts";
import { shownSign } from "./shown-signs.ts";

/** A limit, as for everything that is matched against a stranger's text. It is larger than GitHub's limit for a body. */
const MAX_CHARACTERS = 70_000;
/** A longer sentence is checked in pieces. */
const MAX_SENTENCE = 1_000;

/**
 * Returns the first sign that a text reports a vulnerability, or null (S16). It searches for what a report shows (another
 * person's file or data, an entry without a login, code that ran) and for words that name a vulnerability. null does not mean
 * that the text is safe.
 */
export function findSecuritySign(given: string): SecuritySign | null {
  const text = joinSpacedLetters(removeInvisible(normalisedText(given.slice(0, MAX_CHARACTERS), "NFKC")))
    .replaceAll("’", "'")
    .replaceAll("\r\n", "\n");
  const words = withoutBoilerplate(text);
  return (
    signIn(text, proofSigns) ??
    (PAYLOAD_EFFECT.test(text) ? signIn(text, payloadSigns) : null) ??
    signIn(words, declaredSigns) ??
    signIn(withoutToolTalk(words), namedSigns) ??
    signInSentences(words)
  );
}

function signIn(text: string, signs: SignPatterns): SecuritySign | null {
  for (const [sign, patterns] of Object.entries(signs))
    if (matchesAny(patterns, text)) return sign as SecuritySign;
  return null;
}

/** Returns the text with letters joined that had separators between them: `e x p l o i t` becomes the word. */
function joinSpacedLetters(text: string): string {
  return text.replaceAll(/\b(?:\p{L}[ ._*-]){5,40}\p{L}\b/gu, (spaced) => spaced.replaceAll(/[ ._*-]/g, ""));
}

/** Text that comes from an issue form or template itself: hidden hints, unticked boxes, ticked assurances. */
const BOILERPLATE =
  /<!--[^]{0,4000}?-->|^\s{0,8}(?:[-*] )?\[(?: |x\](?=[^\n]{0,120}\b(?:not?|read|policy|agree|confirm|aware|checked|searched|isn't)\b))[^\n]{0,500}$/gim;

function withoutBoilerplate(text: string): string {
  return text.replaceAll(BOILERPLATE, "");
}

/**
 * Lines about linters and about audits of dependencies, and the questions of a form, name vulnerabilities without reporting one.
 */
const TOOL_TALK =
  /\beslint|\blint(?:er|ing)? rule|\bfalse positive|\b(?:npm|pnpm|yarn|cargo|pip|composer|bundler?)[- ]audit\b|\bdependabot\b|\brenovate\b|\bdev(?:elopment)?[ -]?dependenc/i;
const FORM_QUESTION = /^\s{0,8}#{1,6} [^\n]{0,200}\?\s{0,8}$/;
const DENIED =
  /\b(?:no|not|never|isn't|aren't|without)\b(?:[ \t]+[\w-]+){0,3}[ \t]+(?:vulnerab|security|exploit|malicious)\w*(?:[ \t]\w+)?/gi;

function withoutToolTalk(text: string): string {
  const lines = text.split("\n");
  const isAudit = TOOL_TALK.test(lines[0] ?? "");
  return lines
    .filter((line, index) => index === 0 || !FORM_QUESTION.test(line))
    .filter((line) => !TOOL_TALK.test(line) && !(isAudit && /\bdependenc|\bbump|\bupdate/i.test(line)))
    .join("\n")
    .replaceAll(DENIED, "");
}

/** Phrases that say that something is not possible, or that ask for it: the opposite of a report. */
const DENIED_OR_WISHED =
  /\b(?:can't|cannot|can not|couldn't|unable|not able|no longer|doesn't let|fails? to|denied|forbidden|refus\w+|not possible|impossible|isn't possible|would like|i'd like|ability to|it would be|would be (?:nice|good|great|helpful)|feature request|please (?:add|support|allow)|should be (?:able|possible)|add (?:support|an option)|allow(?:ing)? (?:us|users|me|people) to|want to be able|no puedo|no se puede|n[ãa]o consigo|n[ãa]o (?:é|e) poss[íi]vel|impossible de|ne peu[xt]|kann nicht|k[öo]nnen nicht|lässt sich nicht|не могу|не удается|не удаётся|невозможно)\b|无法|不能|できません|できない|할 수 없|안 됩니다/u;

/**
 * Returns the first security sign in the sentences, or null. These patterns are in lower case: V8 compiles them in about a
 * quarter of the time that it takes with the flag `i`.
 */
function signInSentences(text: string): SecuritySign | null {
  const sentences = sentencesOf(text.toLowerCase()).filter((sentence) => !DENIED_OR_WISHED.test(sentence));
  for (const sentence of sentences) {
    const sign = signIn(sentence, plainSigns) ?? signIn(sentence, foreignLanguageSigns);
    if (sign !== null) return sign;
  }
  return shownSign(sentences);
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|[。！？\n]/)
    .flatMap((sentence) => sentence.match(new RegExp(`[^]{1,${MAX_SENTENCE}}`, "g")) ?? []);
}
