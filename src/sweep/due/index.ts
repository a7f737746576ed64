export { decideComment } from "./decide-comment.ts";
export { announcedClose, decideDue, isCloseDue, shortHash, type ToldVerdict } from "./decide-due.ts";
export { findObjection } from "./find-objection.ts";
