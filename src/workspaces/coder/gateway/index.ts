export { createModelMeter } from "./model-meter.ts";
