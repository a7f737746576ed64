export { type Painting, paintSession } from "./paint-session.ts";
export { type PaintedScreen, screenPainting } from "./screen-painting.ts";
