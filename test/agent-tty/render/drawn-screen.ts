import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadImage, createCanvas } from "@napi-rs/canvas";
import { captureScreenshot, type Home, replayDetailedSnapshot, type ScreenshotOptions } from "agent-tty";
import { writeSession } from "../written-log.ts";
import type { Pixels } from "./cell-colors.ts";

export const SIZE = { cols: 80, rows: 24 };

/** Creates a Session that printed these bytes; returns its id. */
export async function printed(home: Home, bytes: Buffer, size = SIZE): Promise<string> {
  const log = await writeSession(home, [{ output: bytes }], size);
  await mkdir(join(log.directory, "artifacts"));
  return log.sessionId;
}

/** Returns the PNG of a Session's last screen. */
export async function screenshotOf(
  home: Home,
  sessionId: string,
  options: Partial<ScreenshotOptions> = {},
): Promise<Buffer> {
  const snapshot = await replayDetailedSnapshot(home, sessionId);
  const look = { theme: "dark", showCursor: false, ...options } as const;
  return readFile((await captureScreenshot(home, sessionId, snapshot, look)).artifactPath);
}

export async function pixelsOf(png: Buffer): Promise<Pixels> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
  return { data, width, height };
}
