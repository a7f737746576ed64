import { buildOwnRepository, OWN_SCRIPTS, OWN_VERSION, type OwnScript } from "./own-scripts/index.ts";
import { type PlayedScript, playScripts, predictionOf } from "./play-scripts.ts";

export type OwnLabel = keyof typeof OWN_SCRIPTS;

export interface PlayedOwnScript extends PlayedScript {
  readonly label: OwnLabel;
  /** Whether the prediction equals the label; an undecidable case always counts as equal. */
  readonly isAsLabelled: boolean;
}

/** Verifies our own labelled scripts; `wanted` selects them by `label/name`. */
export async function playOwnScripts(
  wanted: (id: string) => boolean,
  options: { jobs: number; onPlayed: (played: PlayedOwnScript) => void },
): Promise<PlayedOwnScript[]> {
  const all = (Object.keys(OWN_SCRIPTS) as OwnLabel[]).flatMap((label) =>
    OWN_SCRIPTS[label].map((script) => ({ id: `${label}/${script.name}`, label, script })),
  );
  const chosen = all.filter(({ id }) => wanted(id));
  const labelOf = new Map(chosen.map(({ id, label }) => [id, label]));
  const labelled = (played: PlayedScript): PlayedOwnScript => {
    const label = labelOf.get(played.id) ?? "refuse";
    return { ...played, label, isAsLabelled: label === "undecidable" || predictionOf(played) === label };
  };
  const played = await playScripts(
    chosen.map(({ id, script }) => ({
      id,
      pair: script.package,
      script: script.script,
      expect: { exitCode: script.exitCode, outputContains: script.text },
    })),
    chosen.map(({ script }) => pairOf(script)),
    {
      jobs: options.jobs,
      buildRepository: (packageName, _versions, to) => buildOwnRepository(packageName, to),
      onPlayed: async (one) => options.onPlayed(labelled(one)),
    },
  );
  return played.map(labelled);
}

function pairOf({
  package: name,
  script,
  exitCode,
  text,
}: OwnScript): Parameters<typeof playScripts>[1][number] {
  return {
    id: name,
    package: name,
    title: `${name} does not do as it should`,
    body: "See the reproduction.",
    reportVersion: OWN_VERSION,
    versionsTested: [OWN_VERSION],
    script,
    expect: { exitCode, outputContains: text },
  };
}
