/** English stands between word boundaries; the other languages stand without, since `\b` knows only ASCII letters. */
export function concept(english: string, others: string): RegExp {
  return new RegExp(`\\b(?:${english})\\b|${others}`, "iu");
}

/** People who are not the reporter, by what they are. */
export const person =
  "users?|customers?|clients?|persons?|people|teams?|groups?|accounts?|famil(?:y|ies)|compan(?:y|ies)|tenants?|schools?|members?|authors?|visitors?|owners?|organi[sz]ations?|patients?|students?|employees?|players?|guests?|participants?|departments?|subscribers?|colleagues?|neighbou?rs?|rooms?|households?";
