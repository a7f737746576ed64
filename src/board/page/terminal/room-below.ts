/** The height, in pixels, of what stands below a recorded and below a living terminal. */
export const PLAYER_PX = 108;
export const FOOT_PX = 56;
