import { type CodeBlock, issueParts, type IssueParts, type RepositoryName } from "../../github/index.ts";
import type { FoundReproduction } from "./found-reproduction.ts";
import { linkedRepository } from "./linked-repository.ts";
import { playgroundOf } from "./playground.ts";
import { languageOf, programScript } from "./program-script.ts";
import { filesScript, linkedScript } from "./project-script.ts";

/** The maximum number of scripts of one issue that are tried. */
const MAX_FOUND = 3;
/** The maximum number of linked repositories and playgrounds of one issue that are tried, after its scripts. */
const MAX_LINKED = 1;
const MAX_SAID = 20;
const MAX_SAID_CHARACTERS = 300;

/** Words in headings and leads that mark the code below as something other than the reproduction. */
const OTHER =
  /\b(?:expected|actual|output|log|logs|trace|stack|error message|environment|system|version|workaround|fix|solution|suggest\w*|patch|proposal|result)\b/i;
const REPRODUCTION = /\b(?:re-?pro\w*|steps|minimal|example|script|mcve|demo|how to)\b/i;
/** Words before a quotation of printed output. */
const PRINTED =
  /\b(?:actual\w*|output|prints?|printed|got|get|see|saw|seen|says?|throws?|threw|returns?|returned|fails? with|error|is|instead|result)\b[^.]{0,40}$/i;

/**
 * Returns the reproductions in the reporter's own texts, the most likely first. Pure: it fetches and runs nothing. `texts`: the
 * issue's body, then the reporter's comments. `product`: the issue's own repository.
 */
export function findInIssue(texts: readonly string[], product: RepositoryName): FoundReproduction[] {
  const parts = texts.map(issueParts);
  const said = saidBy(parts);
  const expect = statedExpectation(texts, said);
  const candidates = parts
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => {
      const language = languageOf(block.language, block.text);
      const script = language === null ? null : programScript(language, block.text);
      return script === null ? [] : [{ script, weight: weightOf(block) }];
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  const scripts = [...new Set(candidates.map(({ script }) => script))].slice(0, MAX_FOUND);
  const linked = parts
    .flatMap(({ links }) => links)
    .flatMap((link) => scriptOfLink(link, product) ?? [])
    .slice(0, MAX_LINKED);
  return [
    ...scripts.map((script) => ({ origin: "issue" as const, script, expect, said })),
    ...linked.map((script) => ({ origin: "linked" as const, script, expect, said })),
  ];
}

/** Returns a script that runs the project or program of a link; null: the link is not to a reproduction. */
function scriptOfLink(link: string, product: RepositoryName): string | null {
  const playground = playgroundOf(link);
  switch (playground?.kind) {
    case "program":
      return programScript(playground.language, playground.text);
    case "files":
      return filesScript(playground.files);
    case "repository":
    case undefined: {
      const linked = linkedRepository(playground?.url ?? link, product);
      return linked === null ? null : linkedScript(linked);
    }
  }
}

function weightOf({ heading, lead, text }: CodeBlock): number {
  if (OTHER.test(lead) && !REPRODUCTION.test(lead)) return 0;
  if (OTHER.test(heading) && !REPRODUCTION.test(heading) && !REPRODUCTION.test(lead)) return 0;
  return 1 + (REPRODUCTION.test(`${heading} ${lead}`) ? 2 : 0) + (text.startsWith("#!") ? 1 : 0);
}

/** Returns the output that the texts quote: first the lines of output blocks, then code spans in sentences about output. */
function saidBy(parts: readonly IssueParts[]): string[] {
  const blocks = parts
    .flatMap((one) => one.blocks)
    .filter(
      ({ language, heading, lead }) =>
        ["", "text", "txt", "log", "console", "output"].includes(language) &&
        /\b(?:actual|output|prints?|log|trace|error|result|got)\b/i.test(`${heading} ${lead}`) &&
        !/\bexpected\b/i.test(lead === "" ? heading : lead),
    )
    .flatMap(({ text }) => text.split("\n"));
  const spans = parts
    .flatMap((one) => one.spans)
    .filter(({ before }) => PRINTED.test(before) && !/\b(?:expect\w*|should)\b[^.,;]{0,30}$/i.test(before))
    .map(({ text }) => text);
  const lines = [...blocks, ...spans].map((line) => line.trim());
  return [...new Set(lines)].filter(isTelling).slice(0, MAX_SAID);
}

function isTelling(line: string): boolean {
  return line.length >= 3 && line.length <= MAX_SAID_CHARACTERS && /[\p{L}\p{N}]/u.test(line);
}

/**
 * Returns the stated expectation only if the texts contain both exit code and output, because too many failures match one of them
 * alone.
 */
function statedExpectation(
  texts: readonly string[],
  [outputContains]: readonly string[],
): FoundReproduction["expect"] {
  const code = texts.map(exitCodeIn).find((one) => one !== null) ?? null;
  return code === null || outputContains === undefined ? null : { exitCode: code, outputContains };
}

function exitCodeIn(text: string): number | null {
  const found =
    /\bexit(?:s|ed)?(?: status| code| with(?: code| status)?)?(?: is| was|:)?[ `]{1,3}(\d{1,3})\b/i.exec(
      text,
    )?.[1];
  const code = found === undefined ? Number.NaN : Number(found);
  return code <= 255 ? code : null;
}
