export { SECURITY_LABEL } from "./declared-signs.ts";
export { findSecuritySign } from "./find-security-sign.ts";
export type { SecuritySign } from "./security-sign.ts";
