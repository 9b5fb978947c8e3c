/** Seconds that a command may run unless the call or the settings say otherwise. */
export const defaultSeconds = 120;

/** Seconds that a call can ask for. */
export const longestSeconds = 600;
