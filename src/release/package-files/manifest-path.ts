export const MANIFEST = "package.json";
