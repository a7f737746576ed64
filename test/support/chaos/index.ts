export { coveringSchedules, traitsOf } from "./covering-schedules.ts";
export { openChaosStage } from "./chaos-stage.ts";
export { coderFaultKinds, githubFaultKinds, parentFaultKinds } from "./faults.ts";
export { findViolations, invariants } from "./find-violations.ts";
export { type Figures, figuresText, sumUp } from "./figures.ts";
export { buildImpatientProgram } from "./impatient-program.ts";
export { describeMoment } from "./moment.ts";
export { describeStrike, type PlayedSchedule, playSchedule } from "./play-schedule.ts";
export { drawSchedule, type Schedule } from "./schedule.ts";
