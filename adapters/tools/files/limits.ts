/** Lines that `read` returns unless told otherwise. */
export const defaultLines = 2000;

/** Characters at which a line is cut. */
export const lineCharacters = 2000;

/** Bytes up to which a file is read whole. A larger one is read in parts, and cannot be edited. */
export const wholeFileBytes = 32 * 1024 * 1024;

/** Entries of a folder that are listed. */
export const folderEntries = 500;

/** Bytes that the error of an edit may have: it holds the nearest place. */
export const editErrorBytes = 3000;
