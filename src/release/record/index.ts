export { holdRepository, type TakeLock } from "./hold-repository.ts";
export { openReleaseRecord, type ReleaseRecord, repositoryDirectory } from "./release-record.ts";
