import type { StatisticsDocument } from "../../../src/board/index.ts";

export const emptyStatistics: StatisticsDocument = {
  schema: "afk-triage/board-statistics@1",
  days: 30,
  outcomes: [],
  phases: [],
  costs: [],
  queueAges: [],
};
