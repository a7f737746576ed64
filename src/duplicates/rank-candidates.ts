import { forEachWord } from "./issue-vector.ts";
import { type IssueTerms, titlePrefix } from "./issue-terms.ts";
import { titleGrams } from "./text/index.ts";
import { normalLength, rarity, saturated, SIGNAL_WEIGHTS, type SignalName, type Signals } from "./weights.ts";

/** The issue for which candidates are ranked, in the index's terms. */
export interface Query {
  title: string;
  terms: IssueTerms;
  createdMs: number;
  /** The words of the issue that are in the index, with the number of issues that contain each. */
  known: ReadonlyMap<string, { id: number; issues: number }>;
}

/** An indexed issue that the full-text search found. */
export interface Candidate {
  number: number;
  title: string;
  state: "open" | "closed";
  reporter: number | null;
  createdMs: number;
  titleLength: number;
  bodyLength: number;
  /** The sum of the rarities of its title's words at the time of indexing. */
  titleWeight: number;
  /** The norm of its body's weighted words at the time of indexing. */
  bodyNorm: number;
  /** Its words, packed by `encodeVector`. */
  vector: Uint32Array;
}

/** Averages over the index. */
export interface IndexTotals {
  issues: number;
  averageTitleLength: number;
  averageBodyLength: number;
}

export interface Ranked {
  candidate: Candidate;
  score: number;
  /** The shared words, rarest first. */
  shared: string[];
}

const DAY_MS = 86_400_000;
/** A title word counts as much as this many body words. */
const TITLE_BOOST = 4;
const RAREST_WORDS = 5;

interface Weighed {
  word: string;
  weight: number;
  inTitle: number;
  inBody: number;
}

interface Scored {
  candidate: Candidate;
  wholeText: number;
  titleText: number;
  partial: Omit<Signals, "wholeText" | "titleText" | "wholeTextRank" | "titleRank">;
  shared: string[];
}

/** Returns the candidates, best first; of equal scores the newest issue first. Pure and deterministic. */
export function rankCandidates(
  query: Query,
  candidates: readonly Candidate[],
  totals: IndexTotals,
): Ranked[] {
  const weighed = weighWords(query, totals);
  const grams = titleGrams(query.title);
  const norm = bodyNorm(weighed);
  const scored = candidates.map((candidate) => scoreText({ query, weighed, grams, norm }, candidate, totals));
  const wholeRank = ranksBy(scored, ({ wholeText }) => wholeText);
  const titleRank = ranksBy(scored, ({ titleText }) => titleText);
  const bestWhole = Math.max(1e-9, ...scored.map(({ wholeText }) => wholeText));
  const bestTitle = Math.max(1e-9, ...scored.map(({ titleText }) => titleText));
  return scored
    .map((one): Ranked => {
      const signals: Signals = {
        ...one.partial,
        wholeText: one.wholeText / bestWhole,
        titleText: one.titleText / bestTitle,
        wholeTextRank: 1 / (1 + (wholeRank.get(one) ?? 0) / 5),
        titleRank: 1 / (1 + (titleRank.get(one) ?? 0) / 5),
      };
      return { candidate: one.candidate, score: weightedSum(signals), shared: one.shared };
    })
    .toSorted((a, b) => b.score - a.score || b.candidate.number - a.candidate.number);
}

function weighWords(query: Query, totals: IndexTotals): Map<number, Weighed> {
  const weighed = new Map<number, Weighed>();
  for (const [word, { id, issues }] of query.known) {
    const inTitle = query.terms.title.get(word) ?? 0;
    const inBody = query.terms.body.get(word) ?? 0;
    weighed.set(id, { word, weight: rarity(issues, totals.issues), inTitle, inBody });
  }
  return weighed;
}

interface Prepared {
  query: Query;
  weighed: ReadonlyMap<number, Weighed>;
  grams: ReadonlySet<string>;
  /** The norm of the query's body. */
  norm: number;
}

function scoreText(
  { query, weighed, grams, norm: queryNorm }: Prepared,
  candidate: Candidate,
  totals: IndexTotals,
): Scored {
  const titleNormal = normalLength(candidate.titleLength, totals.averageTitleLength, 0.6);
  const bodyNormal = normalLength(candidate.bodyLength, totals.averageBodyLength, 0.6);
  let [wholeText, titleText, titleInBody, bodies] = [0, 0, 0, 0];
  const shared: Weighed[] = [];
  forEachWord(candidate.vector, (term, title, body) => {
    const word = weighed.get(term);
    if (word === undefined) return;
    shared.push(word);
    const { weight, inTitle, inBody } = word;
    const asked = inTitle * 2 + inBody;
    const found = saturated((TITLE_BOOST * title) / titleNormal + body / bodyNormal);
    wholeText += weight * ((asked * 9) / (asked + 8)) * found;
    if (inTitle > 0) titleText += weight * found;
    if (title > 0 && inBody > 0) titleInBody += weight;
    if (inBody > 0 && body > 0) bodies += weight ** 2 * (1 + Math.log(inBody)) * (1 + Math.log(body));
  });
  shared.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  const ageDays = Math.max(0, (query.createdMs - candidate.createdMs) / DAY_MS);
  const norm = queryNorm * candidate.bodyNorm;
  return {
    candidate,
    wholeText,
    titleText,
    shared: shared.map(({ word }) => word),
    partial: {
      titleInBody: candidate.titleWeight > 0 ? titleInBody / candidate.titleWeight : 0,
      bodies: norm > 0 ? bodies / norm : 0,
      titleGrams: overlap(grams, titleGrams(candidate.title)),
      rareWords: rareShare(shared, totals.issues),
      age: Math.log1p(ageDays / 30) / 5,
      recent: Math.exp(-ageDays / 90),
      samePrefix: samePrefix(query.title, candidate.title) ? 1 : 0,
    },
  };
}

/** Returns the norm of the body's words, each weighted by its rarity and the logarithm of its count. */
function bodyNorm(weighed: ReadonlyMap<number, Weighed>): number {
  let sum = 0;
  for (const { weight, inBody } of weighed.values())
    if (inBody > 0) sum += (weight * (1 + Math.log(inBody))) ** 2;
  return Math.sqrt(sum);
}

function rareShare(shared: readonly Weighed[], issues: number): number {
  const sum = shared.slice(0, RAREST_WORDS).reduce((total, { weight }) => total + weight, 0);
  return sum / (RAREST_WORDS * Math.log(issues + 2));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const gram of a) if (b.has(gram)) both += 1;
  return both / Math.sqrt(a.size * b.size);
}

function samePrefix(a: string, b: string): boolean {
  const prefix = titlePrefix(a);
  return prefix !== null && prefix === titlePrefix(b);
}

function ranksBy(scored: readonly Scored[], valueOf: (one: Scored) => number): Map<Scored, number> {
  const sorted = scored.toSorted(
    (a, b) => valueOf(b) - valueOf(a) || b.candidate.number - a.candidate.number,
  );
  return new Map(sorted.map((one, rank) => [one, rank]));
}

function weightedSum(signals: Signals): number {
  return (Object.keys(SIGNAL_WEIGHTS) as SignalName[]).reduce(
    (sum, name) => sum + SIGNAL_WEIGHTS[name] * signals[name],
    0,
  );
}
