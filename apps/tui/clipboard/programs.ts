/** A program that reads or writes the clipboard, and where it works. */
export interface ClipboardProgram {
  command: readonly [string, ...string[]];
  /** A variable that names a display; without it the program would wait or fail. */
  display?: 'WAYLAND_DISPLAY' | 'DISPLAY';
  platform?: NodeJS.Platform;
}

/** Take text on their standard input; the first that is there is used. */
export const writers: readonly ClipboardProgram[] = [
  { command: ['pbcopy'], platform: 'darwin' },
  { command: ['clip.exe'], platform: 'win32' },
  { command: ['wl-copy'], display: 'WAYLAND_DISPLAY' },
  { command: ['xclip', '-selection', 'clipboard'], display: 'DISPLAY' },
  { command: ['xsel', '--clipboard', '--input'], display: 'DISPLAY' },
  // The Windows side of WSL.
  { command: ['clip.exe'], platform: 'linux' },
];

/** Print a picture on their standard output. */
export const imageReaders: readonly ClipboardProgram[] = [
  { command: ['pngpaste', '-'], platform: 'darwin' },
  { command: ['osascript', '-e', 'the clipboard as «class PNGf»'], platform: 'darwin' },
  { command: ['wl-paste', '--no-newline', '--type', 'image/png'], display: 'WAYLAND_DISPLAY' },
  { command: ['wl-paste', '--no-newline', '--type', 'image/jpeg'], display: 'WAYLAND_DISPLAY' },
  { command: ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'], display: 'DISPLAY' },
  { command: ['xclip', '-selection', 'clipboard', '-t', 'image/jpeg', '-o'], display: 'DISPLAY' },
];
