export { drawClaims } from "./draw-claims.ts";
export { type PlayedClaims, playClaims } from "./play-claims.ts";
