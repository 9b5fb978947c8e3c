import { ownMounts, python, readOnly, type Attack } from './attack.ts';

/** Writing where no command may. */
export const outside: Attack[] = [
  ['home', '$HOME/escaped'],
  ['start-up', '$HOME/.bashrc'],
  ['etc', '/etc/escaped'],
  ['usr', '/usr/bin/escaped'],
  ['var-tmp', '/var/tmp/larik-escaped'],
  ['sibling', '$W/sibling/escaped'],
  ['prefix-sibling', '$P-evil/escaped'],
  ['data', '$W/data/escaped'],
  ['root', '/escaped'],
].map(([name = '', path = '']) => ({
  id: `write-${name}`,
  threat: name === 'prefix-sibling' ? 'B1' : 'B2',
  tries: `write to ${path}`,
  because: readOnly,
  script: `echo x >> "${path}"`,
}));

export const links: Attack[] = [
  {
    id: 'link-file',
    threat: 'B2',
    tries: 'write through a link of the project to a file outside',
    because: readOnly,
    script: 'ln -s "$W/sibling/file" l1 && echo x >> l1',
  },
  {
    id: 'link-folder',
    threat: 'B2',
    tries: 'write below a link of the project to a folder outside',
    because: readOnly,
    script: 'ln -s "$W/sibling" l2 && echo x > l2/escaped',
  },
  {
    id: 'link-swap',
    threat: 'B2',
    tries: 'swap a folder for a link while something writes into it',
    because: readOnly,
    script:
      'mkdir sw; (for i in $(seq 50); do mv sw sw2; ln -s "$W/sibling" sw; rm sw; mv sw2 sw; done) 2>/dev/null & ' +
      'for i in $(seq 50); do echo x > sw/escaped; done 2>/dev/null; wait; [ -e "$W/sibling/escaped" ]',
  },
  {
    id: 'hard-link',
    threat: 'B11',
    tries: 'hard-link an outside file into the project, and write to it',
    because: 'no hard link leads from one mount into another',
    script: 'ln "$W/sibling/file" h1 && echo x >> h1',
  },
  {
    id: 'hard-link-kept',
    threat: 'B11',
    tries: "hard-link git's configuration elsewhere in the project, and write to it",
    because: ownMounts,
    script: 'ln .git/config h2 && echo x >> h2',
  },
  {
    id: 'hard-link-fd',
    threat: 'B11',
    tries: 'hard-link an open outside file by its descriptor',
    because: 'no hard link leads from one mount into another',
    script: python(
      "fd = os.open(os.environ['W'] + '/sibling/file', os.O_RDONLY)\n" +
        "os.link('/proc/self/fd/%d' % fd, 'h3', follow_symlinks=True)\nopen('h3', 'a').write('x')",
    ),
    needs: ['python3'],
  },
  {
    id: 'proc-self-root',
    threat: 'B2',
    tries: 'write by /proc/self/root',
    because: 'it is the root of the sandbox',
    script: 'echo x > "/proc/self/root$W/sibling/escaped"',
  },
  {
    id: 'proc-1-root',
    threat: 'B2',
    tries: 'write by /proc/1/root',
    because: 'the first process is of the sandbox as well',
    script: 'echo x > "/proc/1/root$W/sibling/escaped"',
  },
  {
    id: 'dot-dot',
    threat: 'B1',
    tries: 'write by .. out of the project',
    because: readOnly,
    script: 'echo x > ../sibling/escaped',
  },
  {
    id: 'tmp-shared',
    threat: 'D6',
    tries: 'read and write the shared /tmp',
    because: '/tmp is a private folder',
    script: 'echo x > /tmp/larik-escaped; [ -e "$TMP_FILE" ]',
  },
  {
    id: 'shm-shared',
    threat: 'D6',
    tries: 'find shared memory of the machine',
    because: '/dev is its own',
    script: '[ -e "$SHM_FILE" ]',
  },
];
