/** The recorded facts about a product that answers one call with a plain value. */
export const HEARD = {
  hasInnerValues: false,
  hasInstances: false,
  isAnsweringInstances: false,
  isPromising: false,
  hasLoaded: true,
  isGivenFunctions: false,
  isRunningPure: false,
  isGivingErrors: false,
  isThrowing: false,
  isAnsweringBooleans: false,
  isAnsweringFractions: false,
  isAnsweringSpaces: false,
  isAnsweringLists: false,
  isChangingArguments: false,
  output: "",
  hasSeveralCalls: false,
};
