import MarkdownIt from "markdown-it";
import { renderedFaults } from "../comments/rendered-laws.ts";
import type { Attack, Seen } from "./attack.ts";
import { commentFaults } from "./comment-laws.ts";
import { readings } from "./readings.ts";

export interface Verdict {
  /** `local` or `coder`; null for an attack on the program itself. */
  provider: string | null;
  row: string;
  name: string;
  expected: string;
  seen: string;
  /** The reasons why the attack counts as successful; empty if it failed. */
  faults: string[];
}

/** This renderer shares no parser with the program or with `commentFaults` (S24). */
const renderer = new MarkdownIt({ html: true });

/** The texts on disk and in logs, by place; each in all its decodings. */
export type Kept = ReadonlyMap<string, readonly string[]>;

export function readingsOf(kept: Iterable<readonly [string, string]>): Kept {
  return new Map([...kept].map(([place, text]) => [place, readings(text)]));
}

export function judge(attack: Attack, seen: Seen, kept: Kept, provider: string | null = null): Verdict {
  const { row, name, expected, forbidden = [] } = attack;
  const published = readingsOf(seen.comments.map((text, index) => [`comment ${index + 1}`, text] as const));
  const places = new Map([...kept, ...published]);
  const faults = [
    ...(expected.test(seen.end) ? [] : [`it ended as “${seen.end}”`]),
    ...(seen.comments.length > 1 ? [`${seen.comments.length} comments`] : []),
    ...seen.comments.flatMap((comment) => commentFaults(comment, attack.issue?.by ?? "reporter")),
    ...seen.comments.flatMap((comment) => renderedFaults(renderer.render(comment))),
    ...forbidden.flatMap((words) =>
      [...places].flatMap(([place, texts]) =>
        texts.some((text) => text.includes(words))
          ? [`${place} holds ${JSON.stringify(words.slice(0, 40))}`]
          : [],
      ),
    ),
    ...(attack.inspect?.(seen, provider) ?? []),
  ];
  return { provider, row, name, expected: expected.source, seen: seen.end, faults: [...new Set(faults)] };
}
