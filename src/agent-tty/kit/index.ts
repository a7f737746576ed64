export { type Clock, systemClock } from "./clock.ts";
export { type Deadline, DeadlineExceeded, raceSignal, startDeadline } from "./deadline.ts";
export { createIds, type Ids, systemIds } from "./ids.ts";
export { messageOf, OperationalError, type OperationalFailure } from "./operational-error.ts";
export { readAs } from "./read-as.ts";
export { storageRefusal, type StorageErrorCode } from "./storage-refusal.ts";
