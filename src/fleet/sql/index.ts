export { endSilentConnection } from "./end-silent-connection.ts";
export { examineDatabase } from "./examine-database.ts";
export * from "./postgres-sql.ts";
export type * from "./sql.ts";
export * from "./sqlite-sql.ts";
export { tables } from "./tables.ts";
export { recordTables } from "./record-tables.ts";
