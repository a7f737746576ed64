export { decideComment } from "./decide-comment.ts";
export { decideDue, isCloseDue, shortHash, type ToldVerdict } from "./decide-due.ts";
export { findObjection } from "./find-objection.ts";
