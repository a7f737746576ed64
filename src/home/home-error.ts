export type HomeErrorCode =
  | "HOME_UNWRITABLE"
  /** The home, or a directory in it, is a symbolic link or belongs to another user (S17). */
  | "HOME_UNSAFE"
  /** The process that owns a Triage Run no longer answers. */
  | "PARENT_GONE";
