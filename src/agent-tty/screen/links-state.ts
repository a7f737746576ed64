import type { Emulator, LinkEntry } from "./emulator-internals.ts";

/** OSC 8 links and the lines they are on: the emulator forgets a link when its last line is gone. */
export interface LinksState {
  nextId: number;
  entries: {
    id: number;
    key: string | undefined;
    data: LinkEntry["data"];
    lines: { line: number; isAlternate: boolean }[];
  }[];
}

/** Returns a copy of the hyperlinks (OSC 8) that the emulator knows, with the lines they are on. */
export function linksState({ _oscLinkService: links, _bufferService: { buffers } }: Emulator): LinksState {
  const onAlternate = new Set(buffers.alt.markers);
  const entries = Array.from(links._dataByLinkId.values(), ({ id, key, data, lines }) => ({
    id,
    key,
    data: { ...data },
    lines: lines.map((marker) => ({ line: marker.line, isAlternate: onAlternate.has(marker) })),
  }));
  return { nextId: links._nextId, entries };
}

/** Restores the links. Call it after the buffers are restored, because markers are attached to their lines. */
export function restoreLinks(
  { _oscLinkService: links, _bufferService: { buffers } }: Emulator,
  state: LinksState,
): void {
  links._nextId = state.nextId;
  for (const { id, key, data, lines } of state.entries) {
    const entry: LinkEntry = { id, data, lines: [], ...(key === undefined ? {} : { key }) };
    for (const { line, isAlternate } of lines) {
      const marker = (isAlternate ? buffers.alt : buffers.normal).addMarker(line);
      entry.lines.push(marker);
      marker.onDispose(() => links._removeMarkerFromLink(entry, marker));
    }
    links._dataByLinkId.set(id, entry);
    if (key !== undefined) links._entriesWithId.set(key, entry);
  }
}
