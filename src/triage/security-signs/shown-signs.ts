import { matchesAny } from "./compiled-expressions.ts";
import { type Concept, concepts } from "./concepts.ts";
import type { SecuritySign } from "./security-sign.ts";

/** Concepts that show a vulnerability when all of them occur in one sentence, or in two consecutive sentences. */
interface ShownSign {
  sign: SecuritySign;
  together: readonly Concept[];
  within: "one-sentence" | "two-sentences";
}

const SHOWN: readonly ShownSign[] = [
  { sign: "data-of-others", together: ["reaching", "thing-of-another"], within: "one-sentence" },
  { sign: "data-of-others", together: ["request-altered", "another-person"], within: "two-sentences" },
  { sign: "data-of-others", together: ["anybody-can"], within: "one-sentence" },
  { sign: "access-kept", together: ["kept-access"], within: "one-sentence" },
  { sign: "entry-without-login", together: ["password-ignored", "let-in"], within: "two-sentences" },
  { sign: "entry-without-login", together: ["no-session", "entered"], within: "two-sentences" },
  { sign: "forgery-accepted", together: ["signature-ignored", "entered"], within: "two-sentences" },
  { sign: "service-stopped", together: ["hostile-request", "service-down"], within: "two-sentences" },
  {
    sign: "service-stopped",
    together: ["outside-input", "service-down", "everybody"],
    within: "two-sentences",
  },
  { sign: "credentials-shown", together: ["secret-in-output"], within: "one-sentence" },
  { sign: "rights-gained", together: ["low-rights", "privileged-deed"], within: "two-sentences" },
  { sign: "rights-gained", together: ["check-missing"], within: "one-sentence" },
  { sign: "files-of-the-machine", together: ["any-file"], within: "one-sentence" },
  {
    sign: "files-of-the-machine",
    together: ["file-by-name", "outside-folder", "file-touched"],
    within: "two-sentences",
  },
  { sign: "script-in-a-browser", together: ["markup-ran", "written-by-others"], within: "two-sentences" },
  { sign: "code-run", together: ["written-by-others", "script-ran", "seen-by-all"], within: "two-sentences" },
];

/**
 * Returns the first sign in lower-case sentences, in their order; null: none. The sentences must not contain denials or wishes.
 */
export function shownSign(sentences: readonly string[]): SecuritySign | null {
  let before: Has = () => false;
  for (const sentence of sentences) {
    const here = conceptsOf(sentence);
    const earlier = before;
    const both: Has = (name) => here(name) || earlier(name);
    const found = SHOWN.find(({ together, within }) =>
      together.every(within === "one-sentence" ? here : both),
    );
    if (found !== undefined) return found.sign;
    before = here;
  }
  return null;
}

type Has = (name: Concept) => boolean;

/**
 * Returns a function that says whether the sentence contains a concept. It searches for a concept only when it is first
 * requested, because most concepts are never needed.
 */
function conceptsOf(sentence: string): Has {
  const known = new Map<Concept, boolean>();
  return (name) => {
    const has = known.get(name) ?? matchesAny(concepts[name], sentence);
    known.set(name, has);
    return has;
  };
}
