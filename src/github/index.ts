export * from "./markers.ts";
export * from "./port.ts";
export * from "./triage-notes.ts";
