const words: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'a file stands where a folder is needed',
  EISDIR: 'a folder stands where a file is needed',
  EEXIST: 'something else stands there',
  EACCES: 'the system denies access',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'the disk cannot be read or written',
  ELOOP: 'its symbolic links never end',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

/** Why the system refused something with files, in words a person knows, and its own code. */
export function systemWords(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(words, code) ? `${words[code]} (${code})` : said;
}
