export { createScreen, type Screen } from "./screen.ts";
export type { SemanticSnapshot } from "./semantic-snapshot.ts";
