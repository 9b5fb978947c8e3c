import { describe, expect, it } from 'vitest';
import { decideBash } from './permissions.ts';

/** Decisions for lines of a program, under a rule that matches all of them. */
async function decisions(lines: readonly string[], rule?: string): Promise<Record<string, string>> {
  const decided = lines.map(async (line) => {
    const allow = [rule ?? `bash(${line.split(' ')[0] ?? ''}*)`];
    return [line, await decideBash(line, { allow })] as const;
  });
  return Object.fromEntries(await Promise.all(decided));
}
const all = (lines: readonly string[], decision: string) =>
  Object.fromEntries(lines.map((line) => [line, decision]));

/** By program: lines that run code or write by an option, and lines that only look so. */
const programs: Record<string, { asks: string[]; runs: string[] }> = {
  git: {
    asks: [
      'git -c core.pager=evil log',
      'git -ccore.pager=evil log',
      'git --config-env=core.pager=X log',
      'git --exec-path=./evil status',
      'git --git-dir=evil status',
      'git --git-dir evil status',
      'git -C x -c a=b log',
      'git diff --output=x',
      'git diff --output x',
      'git diff --outp=x',
      'git diff "--output=x"',
      'git diff --out\\put=x',
      'git diff $X',
      'git diff "$X"',
      'git diff {--output=x,}',
      'git diff *',
      'git log --ext-diff',
      'git show --textconv',
      'git stash show --output=x',
      'git fetch --upload-pack=./evil origin',
      'git ls-remote --upload-pa ./evil origin',
      'git clone -u ./evil a b',
      'git clone --config core.pager=x a',
      'git clone ext::sh',
      'git push --receive-pack=./evil',
      'git push --exec=./evil',
      'git archive --output=x HEAD',
      'git archive -ox HEAD',
      'git archive --remote=. --exec=x HEAD',
      'git grep -O./evil x',
      'git grep -nO./evil x',
      'git grep --open-files-in-pager=./evil x',
      'git rebase -x evil main',
      'git rebase --exec evil main',
      'git difftool -x evil',
      'git difftool -yx evil',
      'git init --template=./evil',
      "git config alias.st '!rm x'",
      'git config --global core.pager evil',
      'git config core.hooksPath evil',
      'git config -f x user.name y',
      'git config --edit',
      'git filter-branch --tree-filter evil',
      'git $X',
    ],
    runs: [
      'git diff --stat',
      'git diff --text -- a',
      'git diff -- "$X"',
      'git diff "src/$X"',
      'git diff src/*.ts',
      'git log --oneline -n 5',
      'git log --no-textconv --no-ext-diff',
      'git log --max-count="$N"',
      'git -C x status',
      'git fetch origin',
      'git push -u origin main',
      'git commit -m "$M"',
      'git add "$F" *',
      'git grep -n foo',
      'git config user.name x',
      'git config --get core.pager',
      'git config core.pager',
      'git archive HEAD',
      'git branch -c a b',
    ],
  },
  find: {
    asks: [
      'find . -exec cat {} +',
      "find . -exec sh -c 'id' \\;",
      'find . -ok cat {} \\;',
      'find . -delete',
      'find . "-delete"',
      'find . -del\\ete',
      'find . -fprint o',
      'find . -fls o',
      'find . -fprintf o x',
      'find . $X',
      'find $X',
      'find * -name x',
      'find {.,-delete}',
    ],
    runs: ["find src -name '*.ts'", 'find . -name a', 'find . -name *.ts', 'find . -type f -newer x'],
  },
  sed: {
    asks: [
      'sed -i s/a/b/ f',
      'sed -ni p f',
      'sed -i.bak s/a/b/ f',
      'sed --in-place=.b s/a/b/ f',
      'sed --in s/a/b/ f',
      'sed -f x f',
      'sed --file=x f',
      'sed 1e f',
      "sed -n '1e id' f",
      "sed 's/a/b/e' f",
      "sed 's/a/b/gw x' f",
      "sed 's|a|b|;w x' f",
      "sed '/a/w x' f",
      "sed '/[/]/w x/p' f",
      "sed '1,/b/{p;W x\n}' f",
      "sed -e p -e 'w x' f",
      "sed -ne 'w x' f",
      "sed --expression='w x' f",
      "sed '$!N;P;D;e' f",
      "sed 'y/a/b/;e' f",
      "sed '\\,a,e id' f",
      "sed 's,a\\,b,c,e' f",
      "sed ':a;e' f",
      'sed "$X" f',
      'sed p $X',
    ],
    runs: [
      'sed -n 1,5p f',
      'sed s/a/b/ f',
      "sed 's/we/ew/g;s|e|w|' f",
      "sed -e '/w/d' -e 's/e w/w e/2p' f",
      "sed -E 's/(a|[^ew])+/\\1/I' f",
      "sed ':a;N;$!ba;s/\\n/ /g' f",
      "sed '/^#/d; /e/!{p;q}' f",
      "sed '1a w x' f",
      "sed 'y/ew/we/' f",
      "sed --sandbox '$p' f",
      "sed -n '2~3{=;l}' f",
    ],
  },
  tar: {
    asks: [
      'tar xf a.tar --to-command=sh',
      'tar --to-c=sh -xf a.tar',
      'tar cf a.tar --checkpoint=1 --checkpoint-action=exec=sh .',
      'tar cf a.tar *',
      'tar -I ./evil -xf a',
      'tar xIf ./evil a',
      'tar -cvIx -f a .',
      'tar --use-compress-program=x -xf a',
      'tar xf a -F x',
      'tar --rsh-command=x -xf h:a',
    ],
    runs: ['tar xf a.tar', 'tar -czvf a.tgz src', 'tar tf a.tar --wildcards x', 'tar xf a --to-stdout'],
  },
  sort: {
    asks: [
      'sort -o f f',
      'sort -of f',
      'sort -uo f f',
      'sort --outp=f f',
      'sort --compress-program=x f',
      'sort "$X"',
    ],
    runs: ['sort f', 'sort -k2,2n -t o f', 'sort -to f', 'sort -ru f', 'sort --check f', 'sort -- "$X"'],
  },
  rg: {
    asks: ['rg --pre ./x foo', 'rg --pre=./x foo', 'rg --hostname-bin x foo', 'rg "$X"', 'rg foo $X'],
    runs: ['rg foo', 'rg -n foo src', 'rg -e "$X" src', 'rg -- "$X"', "rg 'a --pre b'"],
  },
  awk: {
    asks: [
      'awk \'BEGIN{system("id")}\'',
      'awk \'{print > "x"}\' f',
      'awk \'{print | "sh"}\' f',
      'awk \'"id" | getline\' f',
      'awk -f x f',
      'awk -i inplace 1 f',
      'awk "$X" f',
    ],
    runs: ["awk '{print $1}' f", "awk -F: '$3 > 10 || $2 {print $1}' f", "awk -v x=1 '$1 == x' f"],
  },
  gawk: { asks: ['gawk \'@load "x"\' f', 'gawk -l x 1', 'gawk --load=x 1'], runs: ["gawk '{print}' f"] },
  curl: {
    asks: [
      'curl -o f u',
      'curl -sSLo f u',
      'curl -O u',
      'curl --output f u',
      'curl --outpu f u',
      'curl -K f',
      'curl -T f u',
      'curl -c f u',
      "curl -w '%output{f}x' u",
      'curl "$U"',
    ],
    runs: ['curl -sSL u', 'curl --cookie a=b u', "curl -H 'o: K' u", 'curl -XPOST -d a u', 'curl u'],
  },
  wget: {
    asks: ['wget -O f u', 'wget -qO- u', 'wget -e x=y u', 'wget --use-askpass=x u'],
    runs: ['wget -q u'],
  },
  rsync: {
    asks: ['rsync -e x a b', 'rsync -ave x a b', 'rsync --rsync-path=x a b', 'rsync --rsh x a b'],
    runs: ['rsync -av a b', 'rsync --partial --backup a b'],
  },
  ssh: { asks: ['ssh -o ProxyCommand=x h', 'ssh -oProxyCommand=x h', 'ssh -F f h'], runs: ['ssh -p 22 h'] },
  less: { asks: ['less -o x f', 'less -kx f', 'less +!id f'], runs: ['less -N f'] },
  man: { asks: ['man -P x ls', 'man -Hx ls', 'man --pager=x ls'], runs: ['man ls'] },
  tree: { asks: ['tree -o f', 'tree -ao f'], runs: ['tree -L 2'] },
  date: { asks: ['date -s x', 'date --set=x'], runs: ['date -u +%s'] },
  zip: { asks: ['zip a b -T -TT x', 'zip --unzip-command x a b'], runs: ['zip -r a b'] },
  uniq: { asks: ['uniq a b', 'uniq -c -- a b'], runs: ['uniq a', 'uniq -f 1 a'] },
  node: {
    asks: ['node -e x', 'node -r x y', 'node --require=x y', 'node --import x y', 'node -pe 1', 'node $X'],
    runs: ['node x.js', 'node x.js -e --require "$Y"', 'node --test x'],
  },
  python: {
    asks: ['python -c x', 'python -Bc x', 'python "$X"'],
    runs: ['python x.py -c', 'python -m pytest -c x'],
  },
  'python3.11': { asks: ['python3.11 -c x'], runs: ['python3.11 x.py'] },
  npm: {
    asks: ['npm test --script-shell=./x', 'npm --script-shell ./x test', 'npm install --node-options=x'],
    runs: ['npm test', 'npm install --global x', 'npm test "$X"', 'npm test -- --script-shell=x'],
  },
  make: {
    asks: ['make SHELL=./x', 'make --eval=x', "make 'X=$(shell id)'", 'make -E x', 'make MAKE=x'],
    runs: ['make -C sub all', 'make CFLAGS=-O2', 'make "$T"'],
  },
  gcc: {
    asks: ['gcc -fplugin=./x a.c', 'gcc -wrapper x a.c', 'gcc @f', 'gcc -specs=x a.c', 'gcc -B./x a.c'],
    runs: ['gcc -O2 -Wall -o a a.c'],
  },
  cargo: {
    asks: ['cargo --config x build', 'cargo build --config=x'],
    runs: ['cargo build', 'cargo test -- --config'],
  },
  go: {
    asks: ['go test -exec x ./...', 'go build -toolexec=x', 'go vet -vettool x', 'go build --toolexec x'],
    runs: ['go test ./...', 'go build -v ./cmd', 'go test -run "$T"'],
  },
};

describe('options that run code or write', () => {
  for (const [program, { asks, runs }] of Object.entries(programs)) {
    it(`of ${program} are covered by no rule that does not name them`, async () => {
      expect(await decisions(asks)).toEqual(all(asks, 'ask'));
    });

    it(`of ${program} are not seen where there are none`, async () => {
      expect(await decisions(runs)).toEqual(all(runs, 'allow'));
    });
  }

  it('PERM-17 find with a rule for it', async () => {
    const lines = ['find . -exec sh -c "id" \\;', 'find . -delete', 'find . -fprint o'];
    expect(await decisions(lines, 'bash(find *)')).toEqual(all(lines, 'ask'));
    expect(await decisions(['find . -name a'], 'bash(find *)')).toEqual({ 'find . -name a': 'allow' });
  });

  const named: [rule: string, runs: string[], asks: string[]][] = [
    [
      'bash(git diff --output=*)',
      ['git diff --output=x'],
      ['git diff --outp=x', 'git diff --output=x --ext-diff'],
    ],
    ['bash(git diff --output=a *)', ['git diff --output=a b'], ['git diff --output=a --output=b']],
    ['bash(git diff --output*)', ['git diff --output x'], ['git diff --output-x --output=y']],
    ['bash(git -c color.ui=never *)', ['git -c color.ui=never log'], ['git -c color.ui=never -c a=b log']],
    ['bash(sed -i *)', ['sed -i s/a/b/ f'], ["sed -i 's/a/b/e' f", 'sed -i -f x f', 'sed -ni p f']],
    ['bash(find * -delete)', ['find . -name x -delete'], ['find . -exec rm {} + -delete']],
    ['bash(find * -exec cat {} +)', [], ['find . -exec cat {} +']],
    ['bash(sort -o f *)', ['sort -o f g'], ['sort -o f -o g']],
    ["bash(sed -n '1w x' *)", ["sed -n '1w x' f"], ["sed -n '1w x' -e '1w y'"]],
    ["bash(sed 's/a/b/e' f)", ["sed 's/a/b/e' f"], []],
    ['bash(git log $X)', [], ['git log $X']],
  ];
  for (const [rule, runs, asks] of named) {
    it(`are covered as far as ${rule} names them`, async () => {
      expect(await decisions([...runs, ...asks], rule)).toEqual({
        ...all(runs, 'allow'),
        ...all(asks, 'ask'),
      });
    });
  }

  it('that run a command need a rule for that as well', async () => {
    const allow = ['bash(find * -exec cat {} +)', 'bash(cat*)'];
    expect(await decideBash('find . -exec cat {} +', { allow })).toBe('allow');
  });
});
