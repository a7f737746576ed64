export { codexProfiles } from "./profiles.ts";
