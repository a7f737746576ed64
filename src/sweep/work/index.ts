export { createSweepWork, type SweepWork } from "./create-sweep-work.ts";
