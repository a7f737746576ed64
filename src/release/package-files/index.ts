export { MANIFEST } from "./package-manifest.ts";
export { type PackageManifest, readManifest } from "./package-manifest.ts";
export { type FileTexts, LOCK_FILES, planVersionEdits, type VersionEdits } from "./plan-version-edits.ts";
export { isWorkspaceManifest } from "./workspace-manifests.ts";
