export type RenderErrorCode = "RENDERER_UNAVAILABLE";
