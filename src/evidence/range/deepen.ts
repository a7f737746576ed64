/**
 * The bash command that fetches the whole history of a shallow clone, with all branches and tags, but without the contents of old
 * files, which git fetches when an old commit is checked out. It does nothing in a clone that is not shallow.
 */
export const deepenCommand =
  '{ [ "$(git rev-parse --is-shallow-repository)" = false ] || ' +
  "git fetch --quiet --unshallow --filter=blob:none --force --tags origin '+refs/heads/*:refs/remotes/origin/*'; }";
