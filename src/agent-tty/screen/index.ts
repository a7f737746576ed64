export { createScreen, type Screen, type ScreenOptions } from "./screen.ts";
export type { SemanticSnapshot } from "./semantic-snapshot.ts";
