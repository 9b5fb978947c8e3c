import { common, createLowlight } from 'lowlight';

/** Grammars of the languages that are met most. */
export const grammars = createLowlight(common);
