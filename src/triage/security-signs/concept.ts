/** Patterns in lower case, for a concept that a sentence in lower case may express in several languages. */
export type ConceptPatterns = readonly RegExp[];

/**
 * English stands between word boundaries; the other languages stand without, since `\b` knows only ASCII letters. Each long
 * phrase of English is given as an element of its own: V8 compiles them one by one in a third of the time of one expression.
 */
export function concept(english: string | readonly string[], others: string): ConceptPatterns {
  return [
    ...[english].flat().map((phrase) => new RegExp(`\\b(?:${phrase})\\b`, "u")),
    new RegExp(others, "u"),
  ];
}

/** People who are not the reporter, by what they are. */
export const person =
  "users?|customers?|clients?|persons?|people|teams?|groups?|accounts?|famil(?:y|ies)|compan(?:y|ies)|tenants?|schools?|members?|authors?|visitors?|owners?|organi[sz]ations?|patients?|students?|employees?|players?|guests?|participants?|departments?|subscribers?|colleagues?|neighbou?rs?|rooms?|households?";
