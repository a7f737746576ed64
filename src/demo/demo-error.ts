/** Codes of the demo's own operational failures. */
export type DemoErrorCode =
  | "DEMO_DIRECTORY_TAKEN"
  | "DEMO_GITHUB_FAILED"
  | "DEMO_PACKAGE_MISSING"
  | "DEMO_PRODUCT_FAILED";
