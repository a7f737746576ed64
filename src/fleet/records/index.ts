export { type FleetCopy, openFleetCopy } from "./fleet-copy.ts";
export { pruneRecords } from "./record-table.ts";
export { type RecordSender, sendRecords } from "./send-records.ts";
