import { expect, test } from "vitest";
import { judge } from "../support/attacks/judge.ts";
import { isOnPaper, playOnPaper } from "../support/attacks/play-on-paper.ts";
import { attacks } from "../support/attacks/rows/index.ts";

const played = attacks.filter(isOnPaper);

test.each(played.map((attack) => [`${attack.row}: ${attack.name}`, attack] as const))(
  "%s",
  async (_, attack) => {
    const { seen, kept } = await playOnPaper(attack);
    expect(judge(attack, seen, kept).faults).toEqual([]);
  },
);
