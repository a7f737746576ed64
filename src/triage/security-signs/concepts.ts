import type { ConceptPatterns } from "./concept.ts";
import { codeConcepts } from "./code-concepts.ts";
import { entryConcepts } from "./entry-concepts.ts";
import { fileConcepts } from "./file-concepts.ts";
import { peopleConcepts } from "./people-concepts.ts";
import { rightsConcepts } from "./rights-concepts.ts";
import { serviceConcepts } from "./service-concepts.ts";

/**
 * The concepts of a report, in the words of ten languages. A single concept proves little: `shown-signs.ts` lists the
 * combinations that show a vulnerability. Every quantifier is bounded, because strangers write the text.
 */
export const concepts = {
  ...peopleConcepts,
  ...rightsConcepts,
  ...entryConcepts,
  ...serviceConcepts,
  ...fileConcepts,
  ...codeConcepts,
} satisfies Record<string, ConceptPatterns>;

export type Concept = keyof typeof concepts;
