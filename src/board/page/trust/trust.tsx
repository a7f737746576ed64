import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { TrustDocument } from "../../api/index.ts";
import { DamagedRows, Empty, FailureNotice, Heading, Reading } from "../chrome/index.ts";
import { type BoardModel, goTo, useDocument } from "../model/index.ts";
import { Acceptance } from "./acceptance.tsx";
import { CostPerAccepted } from "./cost-per-accepted.tsx";
import { AutonomyMoves, Earned, Overrides } from "./trust-tables.tsx";

/**
 * Renders how maintainers reacted to past outcomes, and the autonomy that each kind of outcome has earned. `repo` null: all
 * repositories.
 */
export function Trust({ model, repo }: { model: BoardModel; repo: string | null }): JSX.Element {
  useLayoutEffect(() => window.scrollTo(0, 0), []);
  const reading = useDocument(
    `trust ${repo ?? ""}`,
    (signal) => model.data.trust(repo, signal),
    model.runs.changed.value,
  );
  return (
    <section class="trust">
      <div class="plots-head">
        <Heading>Trust</Heading>
        {reading.type !== "read" || model.data.source === "report" ? null : (
          <RepositoryChoice repos={reading.document.repos} repo={repo} />
        )}
      </div>
      <p class="muted">
        An outcome is accepted when a person accepts or endorses it, or when it was applied and nothing
        contradicted it while it was observed. The bars show the acceptance; the lines show its interval at
        95&nbsp;%.
      </p>
      {reading.type === "reading" ? <Reading what="the outcomes" /> : null}
      {reading.type === "failed" ? <FailureNotice failure={reading.failure} /> : null}
      {reading.type === "read" ? <DamagedRows rows={reading.document.damaged} /> : null}
      {reading.type === "read" ? <Contents trust={reading.document} /> : null}
    </section>
  );
}

function Contents({ trust }: { trust: TrustDocument }): JSX.Element {
  if (trust.groups.all.length === 0)
    return (
      <Empty title="No outcome is recorded yet.">
        Every Triage Batch records its outcomes and, on later runs, what maintainers did with them. To know
        more before the first one, run <code>afk-triage backtest</code>.
      </Empty>
    );
  const { groups, calibration, earned, bar, moves, overrides } = trust;
  return (
    <>
      <div class="plots-grid">
        <Acceptance title="Acceptance by kind of outcome" head="Kind" rows={groups.kind} bar={bar} />
        <Acceptance
          title="Acceptance by week"
          head="Week of"
          rows={groups.week.slice(-MAX_WEEKS)}
          bar={null}
        />
        <Acceptance
          title="Calibration"
          head="Stated confidence"
          rows={byConfidence(calibration)}
          bar={null}
          note="Well calibrated: the higher the confidence that the Triage Agent stated, the higher the acceptance"
        />
        <CostPerAccepted rows={groups.kind} />
        {groups.model.length < 2 ? null : (
          <Acceptance title="Acceptance by model" head="Model" rows={groups.model} bar={null} />
        )}
        {groups.prompt.length < 2 ? null : (
          <Acceptance title="Acceptance by prompt" head="Prompt" rows={groups.prompt} bar={null} />
        )}
      </div>
      <Earned earned={earned} bar={bar} />
      <AutonomyMoves moves={moves} />
      <Overrides overrides={overrides} />
    </>
  );
}

/** The number of newest weeks that fit; `afk-triage eval --by week` shows all weeks. */
const MAX_WEEKS = 16;

const CONFIDENCES = ["high", "medium", "low", "none"];

function byConfidence(rows: TrustDocument["calibration"]): TrustDocument["calibration"] {
  return [...rows].sort((one, other) => CONFIDENCES.indexOf(one.value) - CONFIDENCES.indexOf(other.value));
}

function RepositoryChoice({
  repos,
  repo,
}: {
  repos: readonly string[];
  repo: string | null;
}): JSX.Element | null {
  if (repos.length < 2 && repo === null) return null;
  return (
    <label class="trust-repository">
      Repository{" "}
      <select
        value={repo ?? ""}
        onChange={({ currentTarget: { value } }) =>
          goTo({ view: "trust", repo: value === "" ? null : value })
        }
      >
        <option value="">all</option>
        {repos.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
