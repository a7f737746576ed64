export {
  type BumpLevel,
  type ChosenVersion,
  chooseVersion,
  type VersionFacts,
  type VersionWish,
} from "./choose-version.ts";
