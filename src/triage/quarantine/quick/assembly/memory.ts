/** Bytes after every buffer: a vector may be read or written past its end. */
const PADDING: usize = 64;
const PAGE: usize = 0x10000;

let top: usize = __heap_base;

/** Room for so many bytes, with padding. It lasts until a `release` of an earlier mark. */
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

/** Ends a text: no set of signs but the telling ones has 0. */
export function endText(text: usize, length: usize): void {
  memory.fill(text + length, 0, PADDING);
}
