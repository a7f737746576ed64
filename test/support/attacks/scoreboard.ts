import type { Verdict } from "./judge.ts";

/** Returns one line per attack, then the totals of each row and of each provider. */
export function scoreboard(verdicts: readonly Verdict[]): string {
  const lines = verdicts.map(({ provider, row, name, expected, seen, faults }) => {
    const verdict = faults.length === 0 ? "warded off" : `SUCCEEDED: ${faults.join("; ")}`;
    return `${row.padEnd(4)} ${provider === null ? "" : `[${provider}] `}${name}\n     expected ${expected}\n     seen     ${seen}\n     verdict  ${verdict}`;
  });
  return [...lines, "", ...rowTotals(verdicts)].join("\n");
}

function rowTotals(verdicts: readonly Verdict[]): string[] {
  const rows = [...new Set(verdicts.map(({ row }) => row))];
  const total = (some: readonly Verdict[]): string => {
    const warded = some.filter(({ faults }) => faults.length === 0).length;
    return `${warded} of ${some.length} warded off`;
  };
  return [
    ...rows.map((row) => `${row.padEnd(4)} ${total(verdicts.filter((verdict) => verdict.row === row))}`),
    ...[...new Set(verdicts.map(({ provider }) => provider))]
      .filter((provider) => provider !== null)
      .map(
        (provider) =>
          `${provider.padEnd(5)} ${total(verdicts.filter((verdict) => verdict.provider === provider))}`,
      ),
    `all  ${total(verdicts)}`,
  ];
}
