import { imageType } from '../../../domain/text/image.ts';

/** The one kind of file without plain text that another program can make text of. */
export const utf16 = 'text in UTF-16';

const signatures: readonly (readonly [string, string])[] = [
  ['%PDF-', 'a PDF document'],
  ['PK\u0003\u0004', 'a ZIP archive (or a document in one)'],
  ['\u001f\u008b', 'gzip data'],
  ['BZh', 'bzip2 data'],
  ['\u00fd7zXZ', 'xz data'],
  ['(\u00b5/\u00fd', 'Zstandard data'],
  ['7z\u00bc\u00af', 'a 7z archive'],
  ['\u007fELF', 'an ELF program or library'],
  ['MZ', 'a Windows program or library'],
  ['\u00cf\u00fa\u00ed\u00fe', 'a Mach-O program or library'],
  ['\u00ca\u00fe\u00ba\u00be', 'a Java class or Mach-O program'],
  ['\u0000asm', 'a WebAssembly module'],
  ['SQLite format 3', 'an SQLite database'],
  ['\u00ff\u00fe', utf16],
  ['\u00fe\u00ff', utf16],
  ['BM', 'a BMP picture'],
  ['II*\u0000', 'a TIFF picture'],
  ['MM\u0000*', 'a TIFF picture'],
  ['\u0000\u0000\u0001\u0000', 'an icon'],
  ['wOFF', 'a font'],
  ['wOF2', 'a font'],
  ['\u0000\u0001\u0000\u0000', 'a font'],
  ['OggS', 'Ogg media'],
  ['ID3', 'MP3 audio'],
  ['fLaC', 'FLAC audio'],
];

/** Bytes at the beginning in which a NUL makes a file binary. */
export const sampleBytes = 8192;

/** What a file is that is neither text nor a picture to show, by its first bytes; null if it looks like text. */
export function binaryType(bytes: Uint8Array): string | null {
  const picture = imageType(bytes);
  if (picture !== null) return `a broken picture (${picture} without a header that can be read)`;
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sampleBytes));
  if (!sample.includes(0) && !sample.subarray(0, 5).equals(Buffer.from('%PDF-'))) return null;
  const head = sample.toString('latin1', 0, 16);
  if (/^....ftyp/s.test(head)) return 'MP4 or similar media';
  return signatures.find(([start]) => head.startsWith(start))?.[1] ?? 'binary data';
}
