export { renderVerdict } from "./render-verdict.ts";
