import { errorText, PortError } from '../../../ports/errors.ts';
import type { ErrorKinds } from '../../../ports/errors.ts';

type Kind = ErrorKinds['file'];

const meanings: Readonly<Record<string, readonly [Kind, string]>> = {
  ENOENT: ['not_found', 'no such file or folder'],
  ENOTDIR: ['not_a_folder', 'a part of the path is a file, not a folder'],
  EISDIR: ['not_a_file', 'a folder, not a file'],
  EEXIST: ['exists', 'it exists already'],
  EACCES: ['denied', 'the system denies access (permissions)'],
  EPERM: ['denied', 'the system does not permit this'],
  EROFS: ['denied', 'the file system is read-only'],
  ETXTBSY: ['denied', 'the program is running'],
  ELOOP: ['not_found', 'its symbolic links never end'],
  ENOSPC: ['no_space', 'no space left on the device'],
  EDQUOT: ['no_space', 'the disk quota is used up'],
  EFBIG: ['too_large', 'larger than the file system takes'],
  ERR_FS_FILE_TOO_LARGE: ['too_large', 'too large to be read whole'],
  ENAMETOOLONG: ['io', 'the name is too long'],
  EMFILE: ['io', 'too many files are open'],
  ENXIO: ['not_a_file', 'not a regular file'],
  ERR_INVALID_ARG_VALUE: ['not_found', 'a path cannot hold a NUL character'],
};

/** An error of the file port. */
export function fileError(kind: Kind, path: string, text: string): PortError<'file'> {
  return new PortError('file', kind, `${text}: ${path}`, { path });
}

/** What the system said, in words. */
export function fromSystem(error: unknown, path: string): PortError<'file'> {
  const code = (error as { code?: unknown }).code;
  const meaning = typeof code === 'string' ? meanings[code] : undefined;
  return meaning ? fileError(meaning[0], path, meaning[1]) : fileError('io', path, errorText(error));
}

/** A folder on the way is a symbolic link, which nothing is written through. */
export function throughLink(path: string, link: string): PortError<'file'> {
  return new PortError('file', 'refused', `${path} leads through the symbolic link ${link}`, { path });
}

/** Somebody renamed or replaced a folder in the middle of a change. */
export function movedAway(path: string): PortError<'file'> {
  const text = `the folder ${path} was moved or replaced while a file in it was changed; look at what is there, then try again`;
  return new PortError('file', 'changed', text, { path });
}
