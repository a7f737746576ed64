export { type Clock, MAX_TIMER_MS, systemClock } from "./clock.ts";
export { type Deadline, DeadlineExceeded, raceSignal, resolvesWithin, startDeadline } from "./deadline.ts";
export { makeDirectory } from "./make-directory.ts";
export { createIds, type Ids, systemIds } from "./ids.ts";
export { messageOf, OperationalError, type OperationalFailure } from "./operational-error.ts";
export { type Exchange, observedFetch } from "./observed-fetch.ts";
export { readAs } from "./read-as.ts";
export { PRIVATE_FILE_MODE, writeFileAtomic } from "./write-file-atomic.ts";
export { storageRefusal, type StorageErrorCode } from "./storage-refusal.ts";
