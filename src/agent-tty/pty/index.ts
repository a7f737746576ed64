export { isExecutableFile } from "./find-program.ts";
export { nodePtySpawner } from "./node-pty.ts";
export type { InnerShell, Pty, PtyErrorCode, PtyExit, SpawnPty } from "./pty.ts";
