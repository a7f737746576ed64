export type { SemanticSnapshot } from "./semantic-snapshot.ts";
