import {
  ALNUM,
  BEFORE_PIVOT,
  BLANK,
  DIGIT,
  LETTER_PIVOT,
  LETTERS,
  PIVOT,
  SMALL_HEX,
  LARGE,
  TOKEN,
  WORD,
  DOTTED,
  isOf,
  membersOf,
} from "./byte-sets";

/** The bits of the result of `scan`: a credential, or a hint of a reversed or rotated one. */
export const SHAPE: u32 = 1;
export const BACKWARDS: u32 = 2;
export const ROTATED: u32 = 4;

/** Which shapes count: those that identify themselves, all shapes, or those of known length. */
export const TELLING: i32 = 0;
export const ALL: i32 = 1;
export const MEASURED: i32 = 2;

const LETTER_BIT: u8 = 0x20;
/** `?` in a word matches any lower-case letter. */
const ANY_SMALL: u8 = 0x3f;
const NO_BREAK_SPACE: u8 = 0xa0;
/** The maximum length of the name before an assigned value. */
const MAX_NAME: usize = 48;
const MIN_TURNS: i32 = 5;

let begin: usize = 0;
let end: usize = 0;

/**
 * Finds the credential shapes in a text. Each shape has a distinctive character (its pivot), around which the text is compared.
 */
export function scan(text: usize, length: usize, shapes: i32): u32 {
  begin = text;
  end = text + length;
  let seen: u32 = 0;
  for (let at = text; at < end; at += 16) {
    const bytes = v128.load(at);
    const letters = membersOf(bytes, LETTER_PIVOT);
    let pivots = membersOf(bytes, PIVOT);
    if (letters != 0) pivots |= letters & membersOf(v128.load(at - 1), BEFORE_PIVOT);
    while (pivots != 0) {
      const place = at + ctz(pivots);
      pivots &= pivots - 1;
      if (place >= end) break;
      seen |= shapes == MEASURED ? measuredAt(place) : seenAt(place, shapes);
      if ((seen & SHAPE) != 0) return seen;
    }
  }
  return seen;
}

function seenAt(at: usize, shapes: i32): u32 {
  const byte = load<u8>(at);
  if (byte == 0x5f) return isUnderscored(at) ? SHAPE : hintAtUnderscore(at);
  if (byte == 0x2d) return isDashed(at) || (shapes == ALL && isCoderToken(at)) ? SHAPE : hintAtDash(at);
  if (byte == 0x2e) return isDotted(at) ? SHAPE : hintAtDot(at);
  if (byte == 0x49) return isKeyId(at) ? SHAPE : hintAtLetter(at);
  if (byte == 0x70) {
    if (isBefore(at, "da") && isAfter(at, "i") && has(at + 2, 32, SMALL_HEX)) return SHAPE;
    return isBefore(at, "ta") && isAfter(at, "lg") ? BACKWARDS : 0;
  }
  if (byte == 0x56)
    return (isAfter(at, "N") && (isBefore(at, "NX") || isBefore(at, "NF"))) ||
      (isBefore(at, "N") && isAfter(at, "mn"))
      ? ROTATED
      : 0;
  if (byte == 0x54) return isAtlassian(at) ? SHAPE : 0;
  if (byte == 0x3a && hasBack(at, 8, DIGIT) && isAfter(at, "AA") && has(at + 3, 33, LETTERS)) return SHAPE;
  if (shapes != ALL) return 0;
  return (byte == 0x3a && isAddress(at)) || isAssigned(at) || isAuthorization(at) ? SHAPE : 0;
}

/** Returns whether the text before the position ends with these characters; `?` matches any lower-case letter. */
function isBefore(at: usize, word: string): bool {
  // For most words the last character already differs.
  const length = word.length;
  const last = <u8>word.charCodeAt(length - 1);
  if (last != ANY_SMALL && load<u8>(at - 1) != last) return false;
  return at >= begin + <usize>length && isSame(at - length, word);
}

/** Returns whether the text after the character at this position begins with these characters. */
function isAfter(at: usize, word: string): bool {
  const first = <u8>word.charCodeAt(0);
  if (first != ANY_SMALL && load<u8>(at + 1) != first) return false;
  return at + 1 + <usize>word.length <= end && isSame(at + 1, word);
}

function isSame(text: usize, word: string): bool {
  for (let index = 0; index < word.length; index += 1) {
    const byte = <u8>word.charCodeAt(index);
    const found = load<u8>(text + index);
    if (byte == ANY_SMALL ? found < 0x61 || found > 0x7a : found != byte) return false;
  }
  return true;
}

/** Returns whether this many characters of the set follow from the position on. */
function has(at: usize, count: usize, set: u32): bool {
  if (at + count > end) return false;
  for (let byte = at; byte < at + count; byte += 1) if (!isOf(byte, set)) return false;
  return true;
}

/** The same for at most sixteen of `LETTERS`. */
function hasLetters(at: usize, count: u32): bool {
  return at + count <= end && <u32>ctz(~membersOf(v128.load(at), LETTERS)) >= count;
}

function hasBack(at: usize, count: usize, set: u32): bool {
  return at >= begin + count && has(at - count, count, set);
}

function isUnderscored(at: usize): bool {
  const next = at + 1;
  if (isBefore(at, "gh?")) return has(next, 36, DOTTED);
  if (isBefore(at, "_pat"))
    return (
      (isBefore(at, "github_pat") && has(next, 22, WORD)) ||
      (isBefore(at, "dckr_pat") && has(next, 20, LETTERS))
    );
  if (isBefore(at, "_oat")) return isBefore(at, "dckr_oat") && has(next, 20, LETTERS);
  if (isBefore(at, "k_live") || isBefore(at, "k_test"))
    return at >= begin + 7 && isOneOf(load<u8>(at - 7), "srp") && has(next, 16, ALNUM);
  if (isBefore(at, "whsec") || isBefore(at, "hf") || isBefore(at, "lin_api") || isBefore(at, "sntrys"))
    return has(next, 16, ALNUM);
  if (
    isBefore(at, "shpat") ||
    isBefore(at, "shpca") ||
    isBefore(at, "shppa") ||
    isBefore(at, "shpss") ||
    isBefore(at, "do?_v1")
  )
    return has(next, 32, SMALL_HEX);
  if (isBefore(at, "gsk")) return has(next, 52, ALNUM);
  if (isBefore(at, "glsa")) return has(next, 32, ALNUM);
  if (isBefore(at, "npm")) return has(next, 36, ALNUM);
  // Few names have a part of sixteen characters.
  return hasLetters(next, 16) && isUnderscoredVendor(at);
}

function isUnderscoredVendor(at: usize): bool {
  if (
    isBefore(at, "figd") ||
    isBefore(at, "sb_secret") ||
    isBefore(at, "pscale_tkn") ||
    isBefore(at, "pscale_pw") ||
    isBefore(at, "pscale_oauth") ||
    isBefore(at, "CCIPAT") ||
    isBefore(at, "glc") ||
    isBefore(at, "fm1") ||
    isBefore(at, "fm2") ||
    isBefore(at, "fo1") ||
    isBefore(at, "fo2")
  )
    return has(at + 1, 31, TOKEN);
  if (
    isBefore(at, "sgp_local") ||
    (isOf(at - 1, SMALL_HEX) && hasBack(at, 16, SMALL_HEX) && isBefore(at - 16, "sgp_"))
  )
    return has(at + 1, 32, ALNUM);
  const isVendor =
    isBefore(at, "rubygems") ||
    isBefore(at, "ntn") ||
    isBefore(at, "nfp") ||
    isBefore(at, "sbp") ||
    isBefore(at, "r8") ||
    isBefore(at, "bkua") ||
    isBefore(at, "sgp") ||
    isBefore(at, "sntryu") ||
    isBefore(at, "pnu") ||
    isBefore(at, "rdme");
  return isVendor && has(at + 1, 32, ALNUM);
}

/** The first letter T of an access token of Atlassian or Bitbucket; of the former's prefix, the second one. */
function isAtlassian(at: usize): bool {
  if (isBefore(at, "ATA")) return isAfter(at, "T3") && has(at + 3, 50, LETTERS);
  if (!isBefore(at, "A")) return false;
  return isAfter(at, "BB") ? has(at + 3, 32, ALNUM) : isAfter(at, "CTT3") && has(at + 5, 50, LETTERS);
}

function isOneOf(byte: u8, bytes: string): bool {
  for (let index = 0; index < bytes.length; index += 1) if (<u8>bytes.charCodeAt(index) == byte) return true;
  return false;
}

function isDashed(at: usize): bool {
  const next = at + 1;
  if (!hasLetters(next, 10)) return isBefore(at, "----") && isAfter(at, "BEGIN ") && isPrivate(at + 7);
  if (isBefore(at, "sk")) {
    if (isAfter(at, "live-") || isAfter(at, "test-")) return has(next + 5, 32, WORD);
    if (isAfter(at, "proj-") || isAfter(at, "None-")) return has(next + 5, 32, LETTERS);
    if (isAfter(at, "admin-")) return has(next + 6, 32, LETTERS);
    if (isAfter(at, "or-v1-")) return has(next + 6, 24, ALNUM);
    return isAfter(at, "svcacct-") ? has(next + 8, 32, LETTERS) : has(next, 32, WORD);
  }
  if (isBefore(at, "xai")) return has(next, 80, WORD);
  if (isBefore(at, "GOCSPX")) return has(next, 28, LETTERS);
  if (isBefore(at, "sk-ant")) return has(next, 16, LETTERS);
  if (isBefore(at, "pypi")) return has(next, 20, LETTERS);
  if (isBefore(at, "AGE-SECRET-KEY")) return isAfter(at, "1") && has(next + 1, 20, LETTERS);
  if (isBefore(at, "xox?") || isBefore(at, "xapp")) return has(next, 10, LETTERS);
  return has(next, 20, LETTERS) && (isGitlab(at) || isDashedVendor(at));
}

function isDashedVendor(at: usize): bool {
  if (
    isBefore(at, "PMAK") ||
    isBefore(at, "pplx") ||
    isBefore(at, "pul") ||
    isBefore(at, "NRAK") ||
    isBefore(at, "xkeysib")
  )
    return has(at + 1, 24, ALNUM);
  const isVendor =
    isBefore(at, "CFPAT") ||
    isBefore(at, "HRKU") ||
    isBefore(at, "sq0atp") ||
    isBefore(at, "sq0csp") ||
    isBefore(at, "tskey-auth") ||
    isBefore(at, "tskey-api") ||
    isBefore(at, "tskey-client") ||
    isBefore(at, "tskey-scim");
  return isVendor && has(at + 1, 22, LETTERS);
}

function isGitlab(at: usize): bool {
  return (
    isBefore(at, "glpat") ||
    isBefore(at, "glrt") ||
    isBefore(at, "gldt") ||
    isBefore(at, "glsoat") ||
    isBefore(at, "glptt") ||
    isBefore(at, "glft") ||
    isBefore(at, "glimt") ||
    isBefore(at, "glagent") ||
    isBefore(at, "glcbt") ||
    isBefore(at, "gloas")
  );
}

/** Returns whether the header of a private key follows, within the maximum length of such a header. */
function isPrivate(text: usize): bool {
  for (let at = text; at < min(text + 42, end); at += 1)
    if (load<u8>(at) == 0x50 && isAfter(at, "RIVATE KEY")) return true;
  return false;
}

/** Returns whether the text is ten letters and digits, a dash, and twenty-two letters and digits. */
function isCoderToken(at: usize): bool {
  return hasBack(at, 10, ALNUM) && has(at + 1, 22, ALNUM);
}

function isDotted(at: usize): bool {
  const next = at + 1;
  if (hasLetters(next, 11)) {
    if (isAfter(at, "eyJ")) return hasBack(at, 11, LETTERS);
    if (isBefore(at, "SG")) return has(next, 16, LETTERS);
    if (isBefore(at, "ya29") || isBefore(at, "hvs") || isBefore(at, "hvb") || isBefore(at, "hvr"))
      return has(next, 20, LETTERS);
    if (isBefore(at, "dp.??") || isBefore(at, "dp.scim") || isBefore(at, "dp.audit"))
      return has(next, 40, ALNUM);
    if (isBefore(at, "atlasv1")) return has(next, 60, LETTERS);
    if (at >= begin + 6 && isSame(at - 6, "dt0")) return has(next, 24, LARGE);
  }
  if (!isAfter(at, "com/")) return false;
  if (isBefore(at, "hooks.slack")) return isAfter(at, "com/services/") || isAfter(at, "com/workflows/");
  return (isBefore(at, "discord") || isBefore(at, "discordapp")) && isAfter(at, "com/api/webhooks/");
}

/**
 * Whether the characters around a credential are its original neighbours, so that a credential of known length may not continue
 * in them.
 */
let isWhole = false;

export function readWhole(whole: bool): bool {
  const before = isWhole;
  isWhole = whole;
  return before;
}

function isKeyId(at: usize): bool {
  if (isBefore(at, "AK") || isBefore(at, "AS")) {
    const isLonger = (at >= begin + 3 && isOf(at - 3, LARGE)) || has(at + 18, 1, LARGE);
    return isAfter(at, "A") && has(at + 2, 16, LARGE) && !(isWhole && isLonger);
  }
  return isBefore(at, "A") && isAfter(at, "za") && has(at + 3, 35, LETTERS);
}

/** `://user:password@`. */
function isAddress(at: usize): bool {
  if (!isAfter(at, "//")) return false;
  let name = at + 3;
  while (name < end && name < at + 103 && !isBlank(name) && !isOneOf(load<u8>(name), "/:@")) name += 1;
  if (name >= end || load<u8>(name) != 0x3a) return false;
  let password = name + 1;
  while (password < end && password < name + 201 && !isBlank(password) && !isOneOf(load<u8>(password), "/@"))
    password += 1;
  return password < end && load<u8>(password) == 0x40 && password >= name + 4;
}

function isBlank(at: usize): bool {
  return isOf(at, BLANK) || load<u8>(at) == NO_BREAK_SPACE;
}

/** Returns where the value begins after a colon or an equals sign. */
function afterSeparator(at: usize): usize {
  let value = at + 1;
  while (value < end && value < at + 4 && isBlank(value)) value += 1;
  return value < end && isOneOf(load<u8>(value), "\"'") ? value + 1 : value;
}

/** Returns where the name before the colon or equals sign ends. */
function beforeSeparator(at: usize): usize {
  let name = at;
  while (name > begin && name > at - 3 && isBlank(name - 1)) name -= 1;
  return name > begin && isOneOf(load<u8>(name - 1), "\"'") ? name - 1 : name;
}

function isAuthorization(at: usize): bool {
  const name = beforeSeparator(at);
  return name >= begin + 13 && isWord(name - 13, "authorization");
}

/** Returns whether a value of at least twelve token characters is assigned to a name that says that it is a secret. */
function isAssigned(at: usize): bool {
  if (!has(afterSeparator(at), 12, TOKEN)) return false;
  const name = beforeSeparator(at);
  for (let word = name; word > begin && word > name - MAX_NAME && isOf(word - 1, LETTERS); word -= 1)
    if (isSecretName(word - 1, name)) return true;
  return false;
}

function isSecretName(text: usize, last: usize): bool {
  const left = last - text;
  if (left >= 3 && isWord(text, "key")) return true;
  if (left < 5) return false;
  return (
    isWord(text, "token") ||
    isWord(text, "passw") ||
    (left >= 6 && isWord(text, "secret")) ||
    (left >= 10 && (isWord(text, "passphrase") || isWord(text, "credential")))
  );
}

/** Compares without regard to upper and lower case. */
function isWord(text: usize, word: string): bool {
  for (let index = 0; index < word.length; index += 1)
    if ((load<u8>(text + index) | LETTER_BIT) != <u8>word.charCodeAt(index)) return false;
  return true;
}

function hintAtUnderscore(at: usize): u32 {
  if (
    isBefore(at, "tu?") ||
    isBefore(at, "acz") ||
    isBefore(at, "x_yvir") ||
    isBefore(at, "x_grfg") ||
    isBefore(at, "tvguho_cng")
  )
    return ROTATED;
  const isBackwards =
    isAfter(at, "?hg") ||
    isAfter(at, "mpn") ||
    isAfter(at, "evil_k") ||
    isAfter(at, "tset_k") ||
    isBefore(at, "tap");
  return isBackwards ? BACKWARDS : 0;
}

function hintAtDash(at: usize): u32 {
  if (isBefore(at, "fx") || isBefore(at, "tycng") || isBefore(at, "kbk?") || isAfter(at, "ORTVA"))
    return ROTATED;
  return (isBefore(at, "tna") && isAfter(at, "ks")) || isAfter(at, "?xox") || isAfter(at, "YEK")
    ? BACKWARDS
    : 0;
}

function hintAtDot(at: usize): u32 {
  if (isAfter(at, "rlW")) return ROTATED;
  if (!has(at + 1, 8, LETTERS)) return 0;
  for (let word = at + 9; word < end && isOf(word, LETTERS); word += 1)
    if (load<u8>(word) == 0x4a && isAfter(word, "ye")) return BACKWARDS;
  return 0;
}

function hintAtLetter(at: usize): u32 {
  const isBackwards =
    (isBefore(at, "A") && (isAfter(at, "KA") || isAfter(at, "SA"))) ||
    (isBefore(at, "az") && isAfter(at, "A"));
  return isBackwards ? BACKWARDS : 0;
}

/** Finds shapes of known length in a text from which everything but letters, digits, `_` and `-` was removed. */
function measuredAt(at: usize): u32 {
  const byte = load<u8>(at);
  const next = at + 1;
  if (byte == 0x5f) {
    if (isBefore(at, "gh?")) return isRandom(at - 3, next, 36, ALNUM);
    if (isBefore(at, "github_pat")) return isRandom(at - 10, next, 22, ALNUM, 60);
    if (isBefore(at, "k_live") || isBefore(at, "k_test")) return isRandom(at - 7, next, 24, ALNUM);
    return isBefore(at, "npm") ? isRandom(at - 3, next, 36, ALNUM) : 0;
  }
  if (byte == 0x2d) {
    if (isBefore(at, "sk-ant")) return isRandom(at - 6, next, 32, LETTERS, 72);
    return isBefore(at, "glpat") ? isRandom(at - 5, next, 20, LETTERS) : 0;
  }
  if (byte != 0x49) return 0;
  if ((isBefore(at, "AK") || isBefore(at, "AS")) && isAfter(at, "A"))
    return isRandom(at - 2, at + 2, 16, LARGE);
  return isBefore(at, "A") && isAfter(at, "za") ? isRandom(at - 1, at + 3, 35, LETTERS) : 0;
}

/**
 * Returns whether this many characters follow, and letters and digits alternate in the credential, which may have up to `more`
 * further characters.
 */
function isRandom(first: usize, rest: usize, count: usize, set: u32, more: usize = 0): u32 {
  if (!has(rest, count, set)) return 0;
  let turns = 0;
  for (let at = first + 4; at + 1 < min(rest + count + more, end); at += 1) {
    const isTurn =
      (isOf(at, DIGIT) && isOf(at + 1, ALNUM) && !isOf(at + 1, DIGIT)) ||
      (isOf(at, ALNUM) && !isOf(at, DIGIT) && isOf(at + 1, DIGIT));
    if (isTurn) turns += 1;
  }
  return turns >= MIN_TURNS ? SHAPE : 0;
}
