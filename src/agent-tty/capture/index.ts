export type { CaptureErrorCode } from "./capture-error.ts";
