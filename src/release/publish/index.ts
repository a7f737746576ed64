export { type Npm, npmCommand, type PackedPackage, type PublishErrorCode } from "./npm.ts";
export {
  packageProblems,
  type PackedFile,
  type PublicationFacts,
  publicationProblems,
} from "./plan-publication.ts";
export {
  PUBLISH_STAGES,
  type PublishOptions,
  type PublishPorts,
  publishRelease,
  type PublishStage,
  type PublishSummary,
} from "./publish-release.ts";
