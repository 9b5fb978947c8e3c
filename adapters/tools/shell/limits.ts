/** Seconds that a command may run unless the call or the settings say otherwise. */
export const defaultSeconds = 120;

/** Seconds that a call can ask for. */
export const longestSeconds = 600;

/** Bytes kept free for the lines that say how it ended and what was left out. */
export const noteBytes = 400;
