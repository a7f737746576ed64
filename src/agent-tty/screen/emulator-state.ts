import type { Terminal } from "@xterm/headless";
import {
  type AttributesState,
  attributesState,
  type BufferState,
  bufferState,
  restoreAttributes,
  restoreBuffer,
} from "./buffer-state.ts";
import { type Charset, type Emulator, GROUND, internalsOf } from "./emulator-internals.ts";
import { type LinksState, linksState, restoreLinks } from "./links-state.ts";

/** Options that escape sequences set. */
const OPTIONS = ["convertEol", "cursorBlink", "cursorStyle"] as const;

/** Everything that decides what later bytes do to the emulator. Plain data, for v8.serialize. */
export interface EmulatorState {
  cols: number;
  rows: number;
  modes: { core: object; decPrivate: object; isCursorHidden: boolean };
  options: Record<string, unknown>;
  mouse: { protocol: string; encoding: string };
  /** A restored cursor has its own charset, in addition to the designated ones. */
  charsets: { glevel: number; sets: Charset[]; current: Charset };
  links: LinksState;
  titles: { window: string; icon: string; windowStack: string[]; iconStack: string[] };
  attributes: AttributesState;
  precedingJoinState: number;
  isAlternate: boolean;
  normal: BufferState;
  alternate: BufferState;
}

/** Returns a copy of the emulator's state, or null in the middle of an escape sequence or of a character. */
export function emulatorState(terminal: Terminal): EmulatorState | null {
  const core = internalsOf(terminal);
  const { _inputHandler: input, _charsetService: charsets } = core;
  if (!isBetweenSequences(terminal)) return null;
  const { buffers } = core._bufferService;
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    modes: {
      core: { ...core.coreService.modes },
      decPrivate: { ...core.coreService.decPrivateModes },
      isCursorHidden: core.coreService.isCursorHidden,
    },
    options: Object.fromEntries(OPTIONS.map((name) => [name, core.optionsService.options[name]])),
    mouse: { protocol: core.coreMouseService.activeProtocol, encoding: core.coreMouseService.activeEncoding },
    charsets: { glevel: charsets.glevel, sets: Array.from(charsets._charsets), current: charsets.charset },
    links: linksState(core),
    titles: {
      window: input._windowTitle,
      icon: input._iconName,
      windowStack: [...input._windowTitleStack],
      iconStack: [...input._iconNameStack],
    },
    attributes: attributesState(input._curAttrData),
    precedingJoinState: input._parser.precedingJoinState,
    isAlternate: buffers.active === buffers.alt,
    normal: bufferState(buffers.normal),
    alternate: bufferState(buffers.alt),
  };
}

/** Returns whether the emulator is neither in the middle of an escape sequence nor of a character. */
export function isBetweenSequences(terminal: Terminal): boolean {
  const { _inputHandler: input } = internalsOf(terminal);
  return input._parser.currentState === GROUND && input._utf8Decoder.interim.every((byte) => byte === 0);
}

/** Restores a state into a new emulator of the same size. */
export function restoreEmulator(terminal: Terminal, state: EmulatorState): void {
  const core = internalsOf(terminal);
  const { _inputHandler: input, _charsetService: charsets } = core;
  // Done with the escape sequence that a program would send, so that all listeners notice the change.
  if (state.isAlternate) activateAlternate(core);
  Object.assign(core.coreService.modes, state.modes.core);
  Object.assign(core.coreService.decPrivateModes, state.modes.decPrivate);
  core.coreService.isCursorHidden = state.modes.isCursorHidden;
  Object.assign(core.optionsService.options, state.options);
  core.coreMouseService.activeProtocol = state.mouse.protocol;
  core.coreMouseService.activeEncoding = state.mouse.encoding;
  charsets._charsets = state.charsets.sets;
  charsets.glevel = state.charsets.glevel;
  charsets.charset = state.charsets.current;
  input._windowTitle = state.titles.window;
  input._iconName = state.titles.icon;
  input._windowTitleStack = state.titles.windowStack;
  input._iconNameStack = state.titles.iconStack;
  input._parser.precedingJoinState = state.precedingJoinState;
  const { normal, alt } = core._bufferService.buffers;
  restoreBuffer(normal, state.normal, input._curAttrData);
  restoreBuffer(alt, state.alternate, input._curAttrData);
  restoreAttributes(input._curAttrData, state.attributes);
  restoreLinks(core, state.links);
}

function activateAlternate(core: Emulator): void {
  (core as unknown as { writeSync(data: string): void }).writeSync("\x1b[?47h");
}
