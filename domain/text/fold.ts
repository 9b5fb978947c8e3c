/**
 * One form for names that a file system may take for the same: case, unicode form and characters
 * that show nothing are taken away. Only for comparing, and only where a wrong match is the safe side.
 */
export function fold(text: string): string {
  // Nearly all names, of which a search asks for thousands.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
}
