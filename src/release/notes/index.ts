export { type KnownRegression, type RegressionPorts, type StoredVerdict } from "./known-regressions.ts";
export { type NotesSubject, parseNotesSubject } from "./plan-notes.ts";
export { gateMessage, type NotesSummary, writeNotes } from "./write-notes.ts";
