export { takeEarly } from "./early-answers.ts";
