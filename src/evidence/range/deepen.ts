/**
 * A bash command that gives a shallow clone its whole history, all branches and tags, without the contents of old files: git
 * fetches those when an old commit is checked out. It does nothing in a clone that is not shallow.
 */
export const deepenCommand =
  '{ [ "$(git rev-parse --is-shallow-repository)" = false ] || ' +
  "git fetch --quiet --unshallow --filter=blob:none --force --tags origin '+refs/heads/*:refs/remotes/origin/*'; }";
