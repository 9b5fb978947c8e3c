import { python, type Twin } from './attack.ts';

/** Beside each kind of attack what must go on working. */
export const twins: readonly Twin[] = [
  { id: 'works-write', allows: 'write in the project', script: 'echo x > ok && [ -s ok ]' },
  { id: 'works-tmp', allows: 'write to /tmp and $TMPDIR', script: 'echo x > /tmp/ok && [ -s "$TMPDIR/ok" ]' },
  { id: 'works-cache', allows: 'write to a build cache', script: 'echo x > "$HOME/.npm/ok"' },
  { id: 'works-writable', allows: 'write where the settings say', script: 'echo x > "$W/open/ok"' },
  { id: 'works-link', allows: 'link within the project', script: 'echo x > a1 && ln a1 a2 && ln -s a1 a3' },
  {
    id: 'works-commit',
    allows: 'commit, branch, stash and rebase',
    script:
      'echo x > c && git add c && git commit -qm c && git checkout -q -b side && echo y > d && git add d && ' +
      'git commit -qm d && git checkout -q - && git rebase -q side && echo z >> c && git stash -q && git stash pop -q',
  },
  { id: 'works-shared-names', allows: 'write beside kept names', script: 'echo x > packages/a/new' },
  {
    id: 'works-network',
    allows: 'reach its own loopback',
    script: python(
      "s = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nc = socket.create_connection(s.getsockname(), 2)",
    ),
    needs: ['python3'],
  },
  {
    id: 'works-socket',
    allows: 'use a socket of its own',
    script: python(
      "s = socket.socket(socket.AF_UNIX)\ns.bind('own.sock')\ns.listen()\nc = socket.socket(socket.AF_UNIX)\nc.connect('own.sock')",
    ),
    needs: ['python3'],
  },
  { id: 'works-children', allows: 'start and end programs', script: 'sleep 9 & kill $! && ! wait $!' },
  {
    id: 'works-threads',
    allows: 'start threads',
    script: python('import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()'),
    needs: ['python3'],
  },
  {
    id: 'works-environment',
    allows: 'get a variable that the settings name',
    script: '[ "$NAMED" = named ]',
  },
  { id: 'works-read', allows: 'read what is not hidden', script: 'grep -q outside "$W/sibling/file"' },
  { id: 'works-devices', allows: 'use harmless devices', script: 'head -c 9 /dev/urandom > /dev/null' },
];
