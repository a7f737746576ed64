/** The bytes after every buffer, because vectors may be read or written beyond its end. */
const PADDING: usize = 64;
const PAGE: usize = 0x10000;

let top: usize = __heap_base;

/** Allocates this many bytes, with padding. They stay allocated until an earlier mark is released. */
export function take(bytes: usize): usize {
  const at = (top + 15) & ~15;
  top = at + bytes + PADDING;
  const missing = <isize>top - <isize>(<usize>memory.size() * PAGE);
  if (missing > 0 && memory.grow(<i32>((<usize>missing + PAGE - 1) / PAGE)) < 0) unreachable();
  return at;
}

export function mark(): usize {
  return top;
}

export function release(marked: usize): void {
  top = marked;
}

/** Writes zero bytes after a text to end it: only the set `TELLING` contains 0. */
export function endText(text: usize, length: usize): void {
  memory.fill(text + length, 0, PADDING);
}
