export { type Observation, observeScript } from "./observe-script.ts";
