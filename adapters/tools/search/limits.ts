/** Paths that `glob` returns. */
export const mostPaths = 200;

/** Matching lines, files or counts that `grep` returns unless told otherwise. */
export const defaultHits = 200;

/** What a call can ask for. */
export const mostHits = 5000;

/** Characters at which a line of a hit is cut. */
export const hitCharacters = 500;

/** Lines of context around a hit. */
export const mostContext = 20;
