export { type LockOwner, takeLock } from "./release-lock.ts";
export { openReleaseRecord, type ReleaseRecord, repositoryDirectory } from "./release-record.ts";
