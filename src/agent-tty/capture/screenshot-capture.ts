import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Home } from "../home/index.ts";
import { writeFileAtomic } from "../kit/index.ts";
import type { ThemeName } from "../render/index.ts";
import type { DetailedSnapshot } from "../screen/index.ts";
import { appendArtifact } from "./artifact-index.ts";

export interface ScreenshotOptions {
  theme: ThemeName;
  showCursor: boolean;
}

export interface ScreenshotResult {
  sessionId: string;
  artifactPath: string;
  sha256: string;
  cols: number;
  rows: number;
  /** Pixels. */
  width: number;
  height: number;
  capturedAtSeq: number;
}

/**
 * Writes one PNG and its entry in the artifact index, and resolves with the result. All three are for the sequence of the given
 * snapshot (A12). Rejects with RENDERER_UNAVAILABLE or PICTURE_TOO_LARGE.
 */
export async function captureScreenshot(
  home: Home,
  sessionId: string,
  snapshot: DetailedSnapshot,
  options: ScreenshotOptions,
): Promise<ScreenshotResult> {
  const { theme, showCursor } = options;
  // Loaded on first use, because text snapshots need no renderer.
  const { encodePng, planPicture, rasterize, THEMES } = await import("../render/index.ts");
  const raster = rasterize(planPicture(snapshot, { theme: THEMES[theme], showCursor }));
  const png = encodePng(raster);
  const sha256 = createHash("sha256").update(png).digest("hex");
  const directory = join(home.sessionDirectory(sessionId), "artifacts");
  const id = home.ids.ulid();
  const file = `screenshot-${id}.png`;
  await writeFileAtomic(join(directory, file), png, home.ids.hex(4));
  const { seq: capturedAtSeq, cols, rows } = snapshot;
  await appendArtifact(home, directory, {
    id,
    type: "screenshot",
    file,
    capturedAtSeq,
    createdAt: new Date(home.clock.nowMs()).toISOString(),
    sha256,
    sizeBytes: png.byteLength,
  });
  const artifactPath = join(directory, file);
  const { width, height } = raster;
  return { sessionId, artifactPath, sha256, cols, rows, width, height, capturedAtSeq };
}
