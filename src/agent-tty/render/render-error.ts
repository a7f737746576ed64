export type RenderErrorCode = "RENDERER_UNAVAILABLE" | "PICTURE_TOO_LARGE";
