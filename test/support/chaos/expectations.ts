/** The policy's result for each fixture Triage Agent (test/fixtures/agents), whatever happened around it. */
export type Expectation =
  | { type: "outcome"; state: string; category: string | null; isClosed: boolean }
  /** The Triage Agent fails: nothing is published, and the issue stays unchanged. */
  | { type: "nothing" };

const outcome = (state: string, category: string | null = "bug", isClosed = false): Expectation => ({
  type: "outcome",
  state,
  category,
  isClosed,
});

export const expectations = {
  honest: outcome("ready-for-agent"),
  lying: outcome("needs-info"),
  "proposing needs-info": outcome("needs-info"),
  "proposing ready-for-human": outcome("ready-for-human"),
  "proposing enhancement": outcome("ready-for-agent", "enhancement"),
  "proposing bug-wontfix": outcome("wontfix", "bug", true),
  "proposing enhancement-wontfix": outcome("ready-for-human", "enhancement"),
  "proposing needs-triage": outcome("needs-triage"),
  garbage: outcome("needs-info"),
  "crashing-late": outcome("ready-for-human"),
  "outcome-file not-json": outcome("needs-triage", null),
  silent: outcome("needs-triage", null),
  crashing: { type: "nothing" },
} as const satisfies Record<string, Expectation>;

export type TriageAgentTitle = keyof typeof expectations;

/** The weight with which each Triage Agent is drawn. */
export const triageAgentWeights: Readonly<Record<TriageAgentTitle, number>> = {
  honest: 4,
  lying: 2,
  "proposing needs-info": 3,
  "proposing ready-for-human": 2,
  "proposing enhancement": 2,
  "proposing bug-wontfix": 3,
  "proposing enhancement-wontfix": 1,
  "proposing needs-triage": 1,
  garbage: 1,
  "crashing-late": 1,
  "outcome-file not-json": 1,
  silent: 1,
  crashing: 1,
};

/** A label that afk-triage does not manage: it is on every issue and must stay there. */
export const FOREIGN_LABEL = "area: widgets";
