export { coderFaultKinds, githubFaultKinds } from "./faults.ts";
export { type Figures, figuresText, sumUp } from "./figures.ts";
export { buildImpatientProgram } from "./impatient-program.ts";
export { describeMoment } from "./moment.ts";
export { describeStrike, type PlayedSchedule, playSchedule } from "./play-schedule.ts";
export { drawSchedule, type Schedule } from "./schedule.ts";
