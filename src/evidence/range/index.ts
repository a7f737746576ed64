export { type Edge, type Edges, edgesOf, flipsOf, nextBeyond } from "./edges.ts";
export { type Line, nextProbe, type ProbeState, startLine, withState } from "./line.ts";
export { type ReportedVersion, reportedVersion } from "./reported-version.ts";
export { type Version, versionLine } from "./version-line.ts";
export { compareVersions, parseVersion } from "./version-number.ts";
