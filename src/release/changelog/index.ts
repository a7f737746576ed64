export { type Changelog, type ChangelogSection, readChangelog } from "./read-changelog.ts";
export {
  type ReleasedChangelog,
  sectionOfCommits,
  type SectionRequest,
  withRelease,
} from "./write-changelog.ts";
