export type ConfigErrorCode = "USAGE" | "CONFIG_INVALID" | "REPOSITORY_NOT_NAMED";
