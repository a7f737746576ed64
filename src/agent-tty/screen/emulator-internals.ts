import type { Terminal } from "@xterm/headless";

/**
 * What a checkpoint has to read and write and the emulator does not publish, as it stands in the pinned version of
 * @xterm/headless. The law that replay from a checkpoint equals replay from the start is tested against it.
 */
export interface Emulator {
  coreService: { modes: object; decPrivateModes: object; isCursorHidden: boolean };
  coreMouseService: { activeProtocol: string; activeEncoding: string };
  optionsService: { options: Record<string, unknown> };
  unicodeService: { activeVersion: string };
  _charsetService: { glevel: number; charset: Charset; _charsets: Charset[] };
  _oscLinkService: {
    _nextId: number;
    _entriesWithId: Map<string, LinkEntry>;
    _dataByLinkId: Map<number, LinkEntry>;
    _removeMarkerFromLink(entry: LinkEntry, marker: Marker): void;
  };
  _bufferService: {
    buffers: { normal: EmulatorBuffer; alt: EmulatorBuffer; active: EmulatorBuffer; _activeBuffer: unknown };
  };
  _inputHandler: {
    _curAttrData: Attributes;
    _utf8Decoder: { interim: Uint8Array };
    _windowTitle: string;
    _iconName: string;
    _windowTitleStack: string[];
    _iconNameStack: string[];
    _activeBuffer: EmulatorBuffer;
    _parser: { currentState: number; precedingJoinState: number };
  };
}

export type Charset = Record<string, string> | undefined;

export interface LinkEntry {
  id: number;
  key?: string;
  data: { id?: string; uri: string };
  lines: Marker[];
}

/** A line that is followed while lines scroll; an entry without any is dropped. */
export interface Marker {
  line: number;
  onDispose(listener: () => void): unknown;
}

export interface ExtendedAttributes {
  _ext: number;
  _urlId: number;
}

export interface Attributes {
  fg: number;
  bg: number;
  extended: ExtendedAttributes;
}

export interface EmulatorLine {
  isWrapped: boolean;
  length: number;
  _data: Uint32Array;
  _combined: Record<string, string>;
  _extendedAttrs: Record<string, ExtendedAttributes | undefined>;
}

export interface EmulatorBuffer {
  ydisp: number;
  ybase: number;
  y: number;
  x: number;
  savedX: number;
  savedY: number;
  savedCurAttrData: Attributes;
  savedCharset: Charset;
  scrollTop: number;
  scrollBottom: number;
  tabs: Record<string, boolean>;
  lines: {
    length: number;
    maxLength: number;
    get(index: number): EmulatorLine;
    push(line: EmulatorLine): void;
  };
  markers: Marker[];
  addMarker(line: number): Marker;
  getBlankLine(attributes: Attributes): EmulatorLine;
}

export function internalsOf(terminal: Terminal): Emulator {
  return (terminal as unknown as { _core: Emulator })._core;
}
