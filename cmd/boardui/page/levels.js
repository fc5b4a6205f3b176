// The levels of the engine.

export const levels = 16; // the last at full strength

// strengthOf converts a level to a strength of 0 to 100.
export const strengthOf = (level) => Math.round((level - 1) / (levels - 1) * 100);

// levelNow is the level that plays about as one of ten did: those of games before version 3, and of
// ratings without a number of levels.
export const levelNow = (n) => n < 10 ? n + 1 : levels;
