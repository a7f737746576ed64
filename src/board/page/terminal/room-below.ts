/** The height, in pixels, of the content below a recorded terminal (PLAYER_PX) and below a live terminal (FOOT_PX). */
export const PLAYER_PX = 108;
export const FOOT_PX = 56;
