/** The published version; the release step and package.json agree by test. */
export const VERSION = "0.1.0";
