export type CaptureErrorCode = "EXPORT_FAILED";
