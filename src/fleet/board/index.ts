export { type BoardToken, parseBoardTokens } from "./board-tokens.ts";
export { serveFleetBoard } from "./serve-fleet-board.ts";
