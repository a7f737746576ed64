export { REQUEST, takeEarly } from "./early-answers.ts";
