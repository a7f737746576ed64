/** Turns a title into a lower-case name for URLs and files. */
export function slugify(text) {
  return String(text)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
