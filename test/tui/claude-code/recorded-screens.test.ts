import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type TuiScreen, type TuiSignals } from "../../../src/tui/index.ts";
import { ansiScreen } from "../../support/tui-recordings/index.ts";
import { detector } from "./painted-screens.ts";

/** One folder per version: screens of the real program, with the expected signals in `expected.json`. */
const SCREENS = join(import.meta.dirname, "screens");

const expectedSchema = z.array(
  z.object({
    screen: z.string(),
    title: z.string(),
    cols: z.number(),
    cursor: z.object({ row: z.number(), col: z.number(), visible: z.boolean() }),
    expected: z.strictObject({
      surface: z.string(),
      dialog: z.string().optional(),
      editingInput: z.string(),
      isWorking: z.boolean(),
      ending: z.string().nullable().optional(),
      pendingInput: z.string().optional(),
    }),
  }),
);
type Expected = z.infer<typeof expectedSchema>[number];

for (const version of await readdir(SCREENS))
  test(`the recorded screens of Claude Code ${version} are read as labelled (H8, H18–H24, H35, H36)`, async () => {
    const table = expectedSchema.parse(JSON.parse(await read(version, "expected.json")));
    for (const one of table) check(version, one, await read(version, `${one.screen}.ansi`));
  });

function check(
  version: string,
  { screen: name, title, cols, cursor, expected }: Expected,
  text: string,
): void {
  const painted: TuiScreen = { ...ansiScreen(text), cols, cursor, title };
  const seen = summary(detector(version).detect(painted, 0));
  expect({ name, ...seen }).toMatchObject({ name, ...expected });
  const bare = summary(detector(version).detect({ ...painted, cellsOf: () => [] }, 0));
  // Without styles the signals are the same, except for those that only a style shows.
  expect({ name, ...bare }).toMatchObject({ name, surface: expected.surface, isWorking: expected.isWorking });
  const isReady = expected.surface === "composer" && !expected.isWorking;
  const { acceptingInput, readyPosture } = seen;
  const isTaken = { accepting: acceptingInput === "yes", ready: readyPosture === "yes" };
  expect({ name, ...isTaken }).toEqual({ name, accepting: expected.surface === "composer", ready: isReady });
}

function summary(signals: TuiSignals): Record<string, unknown> {
  const { surface, acceptingInput, editingInput, readyPosture, pendingInput, activeReasons, ending } =
    signals;
  const dialog = surface.type === "dialog" ? { dialog: surface.dialog.kind } : {};
  const isWorking = activeReasons.length > 0;
  return {
    surface: surface.type,
    ...dialog,
    acceptingInput,
    editingInput,
    readyPosture,
    pendingInput,
    isWorking,
    ending: ending?.type ?? null,
  };
}

function read(version: string, file: string): Promise<string> {
  return readFile(join(SCREENS, version, file), "utf8");
}
