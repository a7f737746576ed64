export { claudeCodeProfiles } from "./profiles.ts";
