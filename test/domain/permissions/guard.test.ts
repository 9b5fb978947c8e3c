import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryFiles } from '../../../plugins/testing/memory-files.ts';
import type { UncommittedWork } from '../../../ports/uncommitted-work.ts';
import { callOf, decideCall } from './permissions.ts';

/** A project three folders deep, so that what lies above it is no folder right below `/`. */
const project = '/home/me/code/app';
const files = memoryFiles({
  [`${project}/src/a.ts`]: '',
  [`${project}/build/a.o`]: '',
  [`${project}/.git/HEAD`]: '',
  '/home/me/.bashrc': '',
  '/usr/lib/x': '',
})
  .link(`${project}/top`, '/')
  .link(`${project}/lib`, '/usr/lib')
  .link(`${project}/self`, '.')
  .link(`${project}/out`, 'build');

/** What decides a line in yolo: the guard, or nothing. */
async function decider(line: string, cwd = project): Promise<string> {
  const { because } = await decideCall(callOf('bash', line), { mode: 'yolo', files, project, cwd });
  return because.step === 'guard' ? 'asks' : 'runs';
}

async function table(lines: string[], cwd?: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(lines.map(async (line) => [line, await decider(line, cwd)] as const)),
  );
}

const each = (lines: string[], word: string) => Object.fromEntries(lines.map((line) => [line, word]));

/** Lines by what they have in common: those that ask, and those that run. */
const tables: Record<string, { asks: string[]; runs: string[] }> = {
  'deleting folders': {
    asks: [
      'rm -rf /',
      'rm -fr //',
      'rm -r -f ~',
      'rm -rf ~/',
      'rm --recursive --force "$HOME"',
      'rm --rec /home/me',
      'rm -R ~root',
      'rm -rf ~other',
      'rm -rf /home/other/',
      'rm -rf /root',
      'rm -rf /Users/kim',
      'rm / -rf',
      'rm -rf -- /',
      'rm -rf --no-preserve-root /',
      'rm -rf .',
      'rm -rf ./',
      'rm -rf ..',
      'rm -rf ../..',
      'rm -rf src/..',
      'rm -rf build/../.',
      `rm -rf ${project}`,
      `rm -rf ${project}/`,
      'rm -rf "$PWD"',
      'rm -rf ../app',
      'rm -rf /home/me/code',
      'rm -rf /HOME/Me/Code/App',
      'rm -rf /usr',
      'rm -rf /etc/',
      'rm -rf /home',
      '/bin/rm -rf /',
      '\\rm -rf /',
      "'rm' -rf /",
      'rm build -rf / dist',
      'rmdir x; rm -rf /var',
    ],
    runs: [
      'rm -rf node_modules',
      'rm -rf node_modules dist',
      'rm -rf ./dist/',
      'rm -rf "$PWD/build"',
      `rm -rf ${project}/build`,
      'rm -rf build/../dist',
      'rm -rf /tmp/x',
      'rm -rf /tmp/x/y',
      'rm -rf ~/.cache/tool',
      'rm -rf ~/code/other',
      'rm -rf ../other',
      'rm -rf .next .turbo coverage',
      'rm -f /',
      'rm -f *',
      'rm notes.txt',
      'rm -rf ""',
      'rm -rf -- -r',
      'rm -i build/a.o',
      'rmdir /',
      'ls -R /',
      'cp -R / /mnt/x/backup',
      'grep -r x /',
      'git rm -r build',
      'echo rm -rf /',
      "echo 'rm -rf /' # rm -rf ~",
      'docker run --rm image',
      'npm run rm -- -rf',
    ],
  },
  'everything in a folder': {
    asks: [
      'rm -rf *',
      'rm -rf ./*',
      'rm -rf .*',
      'rm -rf .[!.]*',
      'rm -rf ./* ./.*',
      'rm -rf "$PWD"/*',
      'rm -rf ~/*',
      'rm -rf ~/.*',
      'rm -rf /*',
      'rm -rf /tmp/*',
      'rm -rf ../*',
      'rm -rf */',
      'rm -rf */*',
      'rm -rf *.*',
      'rm -rf !(src)',
      'rm -rf /home/*',
      'rm -rf /home/*/',
      'rm -rf /us?',
      'rm -rf /[a-z]*',
      'rm -rf ../a*',
      'rm -rf /home/me/co*',
      'rm -rf {src,.}',
      'rm -rf /{usr,opt}/',
      'rm -rf {*,.*}',
    ],
    runs: [
      'rm -rf dist/*',
      'rm -rf ./dist/* build/.*',
      'rm -rf *.o',
      'rm -rf src/*.js',
      'rm -rf test*',
      'rm -rf build-*',
      'rm -rf /tmp/larik-*',
      'rm -rf **/node_modules',
      'rm -rf packages/*/dist',
      'rm -rf {dist,build}/*',
      'rm -rf @(dist|build)',
      'rm -rf ~/.cache/*',
    ],
  },
  variables: {
    asks: [
      'rm -rf $X/*',
      'rm -rf "$X"/*',
      'rm -rf ${X}/',
      'rm -rf "${X}/"*',
      'rm -rf $X/$Y',
      'rm -rf "$DIR/build"',
      'rm -rf ${HOME}',
      'rm -rf $HOME/$X',
      'rm -rf ./$X',
      'rm -rf ${X:-/}',
      'rm -rf ${X:-$HOME}',
      'rm -rf "$(cat path)/"',
      'rm -rf `x`/*',
      'D=/; rm -rf $D',
      'D=$HOME; rm -rf "$D"',
      'D=/usr rm -rf /usr',
      'D=; rm -rf $D/*',
      'rm -rf "$(pwd)"',
      'rm -rf `pwd`/*',
      'cd src && rm -rf "$(pwd)/.."',
      'rm -rf "$(git rev-parse --show-toplevel)"',
      'A=/; B=$A; rm -rf "$B"',
      'export D=/; rm -rf $D',
      "D='build /'; rm -rf $D",
      'F=-rf; rm $F /',
      'r=rm; $r -rf /',
      '$SUDO rm -rf /usr',
      `C='rm -rf /'; bash -c "$C"`,
      `C='rm -rf /'; eval "$C"`,
      "X='sudo rm'; $X -rf /",
      'D=build; [ -n "$1" ] && D=/; rm -rf $D',
      'for d in build /; do rm -rf "$d"; done',
      'for d in /*; do rm -rf "$d"; done',
      'for d in *; do rm -rf "$d"; done',
      'dirs=(build /); rm -rf "${dirs[@]}"',
    ],
    runs: [
      'rm -rf build/$X',
      'rm -rf "build/$X/"',
      'rm -rf "$(pwd)/build"',
      'rm -rf "$(git rev-parse --show-toplevel)/build"',
      'rm -rf "$X"',
      'rm -rf $X',
      'rm -rf $X$Y',
      'rm -rf ${X:?}/*',
      'rm -rf "${X:?not set}/"',
      'rm -rf ${X:-build}',
      'D=$(mktemp -d) && cp a $D && rm -rf "$D"',
      'D=build; rm -rf $D/*',
      'D=/tmp/x; mkdir $D; rm -rf "$D"',
      'rm -rf "$HOME/.cache/x"',
      'for d in build dist; do rm -rf "$d"; done',
      'for d in packages/*; do rm -rf "$d/dist"; done',
      'dirs=(build dist); rm -rf "${dirs[@]}"',
      "rm -rf '$HOME'",
    ],
  },
  'cd in front': {
    asks: [
      'cd / && rm -rf *',
      'cd /; rm -rf usr',
      'cd .. && rm -rf app',
      'cd ..; rm -rf *',
      'cd && rm -rf *',
      'cd ~ && rm -rf code/',
      'cd "$X" && rm -rf *',
      'cd $X; rm -rf .',
      'cd src && cd .. && rm -rf *',
      'cd nowhere; rm -rf *',
      'cd nowhere || true; rm -rf *',
      'pushd / && rm -rf usr',
      'cd src && make && cd - && rm -rf *',
      '(cd .. && rm -rf app)',
      '(cd src && make); rm -rf *',
      '(cd src); (rm -rf *)',
      'cd src | rm -rf *',
      '{ cd ..; rm -rf app; }',
      'if cd ..; then rm -rf app; fi',
      "sh -c 'cd / && rm -rf *'",
      'eval "cd /"; rm -rf *',
      'env -C / rm -rf usr',
      'sudo --chdir=/ rm -rf usr',
      'false && cd build; rm -rf *',
    ],
    runs: [
      'cd build && rm -rf *',
      'cd build; rm -rf *',
      'cd build && rm -rf ./* && cmake ..',
      'mkdir -p new && cd new && rm -rf *',
      'mkdir -p new; cd new; rm -rf *',
      'cd new && rm -rf *',
      'cd new || exit 1; rm -rf *',
      'cd new || { echo no; exit 1; }; rm -rf *',
      'set -e; cd new; rm -rf *',
      '(cd .. && ls); rm -rf build',
      '(cd build && rm -rf *)',
      'cd .. && rm -rf app/build',
      'cd src && rm -rf ../build',
      '(cd /) ; rm -rf usr',
      "sh -c 'cd /'; rm -rf usr",
      'cd / & rm -rf usr',
      'env -C build rm -rf x',
    ],
  },
  'behind other programs': {
    asks: [
      'sudo rm -rf /',
      'sudo -u root env A=1 nice -n 5 rm -rf /',
      'true && sudo rm -rf --no-preserve-root /',
      "bash -lc 'rm -rf /'",
      "eval 'rm -rf /'",
      'timeout 5 rm -rf ~',
      'busybox rm -rf /',
      'echo $(rm -rf /)',
      'ls "$(rm -rf ~)"',
      'f() { rm -rf /; }; f',
      'f() { rm -rf "$1"; }; f /',
      'set -- /; rm -rf "$@"',
      'sh -c \'rm -rf "$1"\' _ /',
      'while true; do rm -rf /; done',
      'bash <<E\nrm -rf /\nE',
      'xargs rm -rf < list',
      'cat list | xargs rm -rf',
      'ls | xargs rm -rf',
      'echo / | xargs rm -rf',
      'echo / | xargs -I{} rm -rf {}',
      'find / | xargs rm -rf',
      'find . -print0 | xargs -0 rm -rf',
      'parallel rm -rf ::: build /',
      'parallel rm -rf {} ::: /',
    ],
    runs: [
      "find . -name '*.tmp' | xargs rm -f",
      'find . -name node_modules -print0 | xargs -0 rm -rf',
      "find . -name '__pycache__' -type d | grep -v venv | xargs rm -rf",
      'git ls-files -o | xargs rm -rf',
      'echo build dist | xargs rm -rf',
      'echo build | xargs -I{} rm -rf {}/x',
      'cat list | xargs rm -f',
      'cat list | xargs grep x',
      'parallel rm -rf ::: build dist',
      'f() { rm -rf "$1"; }; f build',
      'busybox rm -rf build',
      'ssh host echo',
    ],
  },
  find: {
    asks: [
      'find . -delete',
      'find -delete',
      'find / -delete',
      'find ~ -type f -delete',
      'find . -mindepth 1 -delete',
      "find . -name '*' -delete",
      'find . ! -name keep -delete',
      'find . -not -name keep -delete',
      'find . -name .git -prune -o -delete',
      'find . -exec rm {} +',
      'find . -type f -exec rm -f {} \\;',
      'find . -exec sh -c \'rm -rf "$1"\' _ {} \\;',
      'find top/ -delete',
      'find . -type d -exec chmod 777 {} +',
    ],
    runs: [
      "find . -name '*.pyc' -delete",
      "find . -name '*.pyc' -o -name '*.pyo' -delete",
      'find . -type d -empty -delete',
      'find /tmp -mtime +7 -delete',
      'find build -delete',
      'find build dist -type f -delete',
      'find . \\( -name node_modules -o -name dist \\) -prune -exec rm -rf {} +',
      "find . -name '*.orig' -exec rm {} \\;",
      "find src -name '*.ts' -exec chmod 644 {} +",
      'find . -name x',
      'find / -name x -print',
    ],
  },
  'moving, permissions and owners': {
    asks: [
      'mv ~ /tmp/x',
      'mv . ../other',
      'mv -t /tmp/x src ..',
      'mv /usr /usr2',
      'chmod -R 777 /',
      'chmod -R a+w ~',
      'chmod --recursive 755 .',
      'chmod 777 -R ..',
      'chown -R me:me /usr',
      'chgrp -hR staff ~/',
      'sudo chown -R "$USER" /home/me',
      'chmod -R u+w top/',
      'chmod -R u+w self',
      'rsync -a --delete empty/ .',
      'rsync -a --delete-after empty/ ~/',
    ],
    runs: [
      'mv a b',
      'mv src/a.ts src/b.ts',
      'mv build /tmp/x',
      'mv a b ..',
      'mv a /',
      'mv -t .. a b',
      'chmod -R u+w build',
      'chmod 755 .',
      'chmod +x run.sh',
      'chmod -x /',
      'chown me:me .',
      'chown -R me:me build',
      'rsync -a --delete src/ build/',
      'rsync -a src/ .',
      'rsync -a --delete . host:/srv/app',
    ],
  },
  'links on the way': {
    asks: [
      'rm -rf top/',
      'rm -rf top/*',
      'rm -rf top/usr',
      'rm -rf lib/..',
      'rm -rf self/',
      'rm -rf self/.',
      'cd top; rm -rf usr',
    ],
    runs: ['rm -rf top', 'rm -rf self', 'rm -rf lib/x', 'rm -rf out/', 'rm -rf out/*', 'mv top new'],
  },
  'devices and file systems': {
    asks: [
      'dd if=x.img of=/dev/sda bs=4M',
      'sudo dd of=/dev/nvme0n1 < x.img',
      'dd of=/dev/$DISK',
      'D=sdb; dd of=/dev/$D',
      'cat x > /dev/sda',
      'echo > /dev/disk/by-id/a',
      '{ cat x; } > /dev/sda',
      'cat x | tee /dev/sdb',
      'cat x | sudo tee -a /dev/mapper/vg-root',
      'cp x.img /dev/mmcblk0',
      'shred -n 1 /dev/sda',
      'wipefs -a /dev/sda',
      'blkdiscard /dev/nvme0n1',
      'sgdisk --zap-all /dev/sda',
      'parted -s /dev/sda mklabel gpt',
      'echo , | sfdisk /dev/sda',
      'mkfs.ext4 /dev/sda1',
      'mkfs -t ext4 x.img',
      'sudo mke2fs /dev/sda1',
      'mkswap /dev/sda2',
      'cd /dev && cat x > sda',
    ],
    runs: [
      'dd if=/dev/sda of=out.img',
      'dd if=/dev/zero of=out.img count=1',
      'dd if=/dev/urandom of=/dev/null',
      'cp /dev/sda out.img',
      'cat x > /dev/null',
      'make >/dev/stdout 2>/dev/stderr',
      'echo x > /dev/tty',
      'cat x > /dev/shm/y',
      'echo x | tee /dev/stderr',
      'fdisk -l /dev/sda',
      'parted /dev/sda print',
      'wipefs /dev/sda',
      'shred -u secret.txt',
      'mkfs.ext4 -V',
      'mksquashfs a b',
      'ls /dev/sda',
      'curl -o x https://a.example/dev/sda',
    ],
  },
  'forced pushes': {
    asks: [
      'git push --force',
      'git push -f origin main',
      'git push origin main -f',
      'git push -uf origin main',
      'git push origin +main',
      'git push origin +main:main',
      'git push --mirror',
      'git -C sub push --force',
      'git -c a.b=c push --force',
      'git --git-dir=x --no-pager push -f',
      'git push --force --force-with-lease',
      'git commit -m x && git push -f',
      'X=--force; git push $X',
    ],
    runs: [
      'git push',
      'git push -u origin main',
      'git push --force-with-lease',
      'git push --force-with-lease=main:abc origin main',
      'git push --force-with-lease --force-if-includes',
      'git push -n -f',
      'git push --dry-run --force',
      'git push --follow-tags',
      'git push origin feature-f',
      'git fetch -f',
      'git fetch --force',
      'git commit -m "push --force"',
      'git branch -f x',
    ],
  },
};

describe('the guard', () => {
  for (const [title, { asks, runs }] of Object.entries(tables)) {
    it(`asks: ${title}`, async () => {
      expect(await table(asks)).toEqual(each(asks, 'asks'));
    });
    it(`lets ordinary work run: ${title}`, async () => {
      expect(await table(runs)).toEqual(each(runs, 'runs'));
    });
  }

  it('goes by the working directory, which may lie below the project', async () => {
    const below = `${project}/src`;
    expect(await table(['rm -rf ..', 'rm -rf ../*', 'cd .. && rm -rf *'], below)).toEqual(
      each(['rm -rf ..', 'rm -rf ../*', 'cd .. && rm -rf *'], 'asks'),
    );
    expect(await table(['rm -rf .', 'rm -rf *', 'rm -rf ../build'], below)).toEqual(
      each(['rm -rf .', 'rm -rf *', 'rm -rf ../build'], 'runs'),
    );
  });

  it('says what would be lost, and on what that hangs', async () => {
    const reason = async (line: string) =>
      (await decideCall(callOf('bash', line), { mode: 'yolo', files, project, cwd: project })).because.text;
    expect(await reason('rm -rf ~')).toBe('it would delete the home folder /home/me');
    expect(await reason('cd .. && rm -rf $X/*')).toBe(
      'it would delete everything in the root folder / if $X comes to nothing',
    );
    expect(await reason('chmod -R 777 ..')).toBe(
      'it would change permissions of /home/me/code, which the project lies in',
    );
    expect(await reason('mv /usr x')).toBe('it would move /usr, a folder right below /');
    expect(await reason('cat l | xargs rm -r')).toBe(
      "it would delete whatever it is given, which could be the project's folder or the home folder",
    );
    expect(await reason('cat x > /dev/sda')).toBe('it would write to the device /dev/sda');
  });

  it('asks where a line that is not understood could do such a thing', async () => {
    const long = 'x'.repeat(70_000);
    const lines = [`rm -rf / "`, `echo ${long}; rm -rf build`, 'rm -rf /\r'];
    expect(await table(lines)).toEqual(each(lines, 'asks'));
    const quiet = ['ls "', `echo ${long}`, 'ls\r'];
    expect(await table(quiet)).toEqual(each(quiet, 'runs'));
  });

  it('is total and quick, whatever the line', async () => {
    const pieces = fc.constantFrom(
      ...'rm -rf;/;~;$X;${X:-/};*;..;cd;&&;|;(;);{a,/};find;-delete;xargs;git;push;-f;reset;--hard;for d in;do;done;"$@";dd;of=/dev/sda;>;\n;$(;f(){;}'.split(
        ';',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (parts) => {
        await decider(parts.join(' '));
      }),
    );
  });
});

describe('work that no commit holds', () => {
  type Asked = [folder: string, kinds: readonly string[], paths: readonly string[]];

  async function asked(line: string, has: boolean | null = true): Promise<[string, Asked[]]> {
    const questions: Asked[] = [];
    const uncommitted: UncommittedWork = {
      async has(folder, kinds, paths) {
        questions.push([folder, kinds, paths]);
        return has;
      },
    };
    const setting = { mode: 'yolo', files, project, cwd: project, uncommitted } as const;
    const { because } = await decideCall(callOf('bash', line), setting);
    return [because.step === 'guard' ? because.text : 'runs', questions];
  }

  it('is asked about where git would throw it away', async () => {
    const reset = 'git reset --hard would throw away changes that are in no commit';
    const clean = 'git clean would throw away files that are in no commit';
    expect(await asked('git reset --hard')).toEqual([reset, [[project, ['tracked'], []]]]);
    expect(await asked('git reset HEAD~2 --har')).toEqual([reset, [[project, ['tracked'], []]]]);
    expect(await asked('git -C src -c a=b reset --hard')).toEqual([
      reset,
      [[`${project}/src`, ['tracked'], []]],
    ]);
    expect(await asked('cd src && sudo git reset --hard')).toEqual([
      reset,
      [[`${project}/src`, ['tracked'], []]],
    ]);
    expect(await asked('git clean -fd')).toEqual([clean, [[project, ['untracked'], []]]]);
    expect(await asked('git clean -d --force src "a b"')).toEqual([
      clean,
      [[project, ['untracked'], ['src', 'a b']]],
    ]);
    expect(await asked("git clean -fdx -e keep '*.o'")).toEqual([
      clean,
      [[project, ['untracked', 'ignored'], []]],
    ]);
    expect(await asked('git clean -Xf')).toEqual([clean, [[project, ['ignored'], []]]]);
  });

  it('is no question where there is none, and one where that is not known', async () => {
    expect((await asked('git reset --hard', false))[0]).toBe('runs');
    expect((await asked('git clean -fdx', false))[0]).toBe('runs');
    expect((await asked('git reset --hard', null))[0]).toMatch(/^git reset --hard could throw away changes/);
    const lines = [
      'git --git-dir=x reset --hard',
      'GIT_DIR=x git reset --hard',
      'git --work-tree x clean -f',
    ];
    for (const line of lines) {
      const [reason, questions] = await asked(line, false);
      expect(reason).toMatch(/is not known$/);
      expect(questions).toEqual([]);
    }
  });

  it('is not looked for when a command loses none', async () => {
    const lines = [
      'git reset',
      'git reset --soft HEAD~1',
      'git clean -n',
      'git clean -fdn',
      'git clean --dry-run -f',
      'git clean -d',
      'git checkout -f',
      'git status',
      'git log --hard',
      'git commit -m "reset --hard"',
    ];
    for (const line of lines) expect([line, ...(await asked(line))]).toEqual([line, 'runs', []]);
  });
});
