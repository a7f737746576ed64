import { matches } from "./compiled-expressions.ts";

/** A concept that a sentence may express, in the words of several languages. */
export interface ConceptPattern {
  /** The sentence is in lower case. */
  test(sentence: string): boolean;
}

/**
 * English stands between word boundaries; the other languages stand without, since `\b` knows only ASCII letters. Each long
 * phrase of English is given as an element of its own: V8 compiles them one by one in a third of the time of one expression.
 */
export function concept(english: string | readonly string[], others: string): ConceptPattern {
  const patterns = [
    ...[english].flat().map((phrase) => new RegExp(`\\b(?:${phrase})\\b`, "u")),
    new RegExp(others, "u"),
  ];
  return { test: (sentence) => patterns.some((pattern) => matches(pattern, sentence)) };
}

/** People who are not the reporter, by what they are. */
export const person =
  "users?|customers?|clients?|persons?|people|teams?|groups?|accounts?|famil(?:y|ies)|compan(?:y|ies)|tenants?|schools?|members?|authors?|visitors?|owners?|organi[sz]ations?|patients?|students?|employees?|players?|guests?|participants?|departments?|subscribers?|colleagues?|neighbou?rs?|rooms?|households?";
