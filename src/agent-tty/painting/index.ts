export { type Painting, paintScreen, paintSession } from "./paint-session.ts";
export { type PaintedScreen, screenPainting } from "./screen-painting.ts";
