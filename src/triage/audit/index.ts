export { type AuditEntry, type AuditFact, type AuditWrite, bodyHashOf } from "./audit-entry.ts";
export { type AuditLog, auditLogPath, createAuditLog } from "./audit-log.ts";
export { type AuditErrorCode, readAuditLog } from "./read-audit-log.ts";
