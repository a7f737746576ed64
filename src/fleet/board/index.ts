export { type BoardToken, parseBoardTokens } from "./board-tokens.ts";
export { type FleetBoardServer, serveFleetBoard } from "./serve-fleet-board.ts";
