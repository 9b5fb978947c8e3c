import { describe, expect, it } from 'vitest';
import { decideBash } from './permissions.ts';

const deny = ['bash(rm *)'];
async function decisions(
  lines: readonly string[],
  allow: string[] | null = null,
): Promise<Record<string, string>> {
  const setting = allow === null ? { deny, mode: 'yolo' as const } : { allow };
  const decided = lines.map(async (line) => [line, await decideBash(line, setting)] as const);
  return Object.fromEntries(await Promise.all(decided));
}
const all = (lines: readonly string[], decision: string) =>
  Object.fromEntries(lines.map((line) => [line, decision]));

describe('programs that run their arguments', () => {
  const denied = [
    'watch rm x',
    "watch -n 5 'ls; rm x'",
    'setsid -w rm x',
    'ionice -c 2 -n 7 rm x',
    'chrt -f 10 rm x',
    'taskset -c 0,1 rm x',
    'stdbuf -oL rm x',
    'stdbuf --outp L rm x',
    'doas -u root rm x',
    'sudo -nu root rm x',
    'sudo --us root rm x',
    'sudo A=1 rm x',
    'su -c "rm x"',
    "su root -c 'rm x'",
    "su - root --command='rm x'",
    'runuser -u bob -- rm x',
    "runuser -l bob -c 'rm x'",
    'busybox rm x',
    'toybox rm x',
    "script -qc 'rm x' out",
    "script out -c 'rm x'",
    'parallel rm ::: a b',
    "parallel ::: 'rm a' 'rm b'",
    'chroot /x rm x',
    'unshare -r rm x',
    'nsenter -t 1 -m rm x',
    'flock /l rm x',
    "flock /l -c 'rm x'",
    "flock -w 5 /l --command 'rm x'",
    'strace -f -e trace=file rm x',
    'ltrace rm x',
    'gdb --args rm x',
    'npx rm x',
    'bunx --bun rm x',
    'npm exec -- rm x',
    "npx -c 'rm x'",
    'pnpm dlx rm x',
    'yarn exec rm x',
    'uvx rm x',
    'uv run rm x',
    'uv run --with a rm x',
    'poetry run rm x',
    'bundle exec rm x',
    '/usr/bin/time -f x rm x',
    'caffeinate -i rm x',
    'systemd-run --user -p A=b rm x',
    'unbuffer rm x',
    'dbus-run-session -- rm x',
    'xvfb-run -a rm x',
    'fakeroot rm x',
    'proot -r / rm x',
    'fd -e x -x rm x',
    'fd x --exec-batch rm x',
    'git bisect run rm x',
    'git submodule foreach "rm x"',
    'git submodule foreach --recursive rm x',
    "git rebase -x 'rm x' main",
    "git rebase --exec='rm x' main",
    "git -C a rebase --ex 'rm x' main",
    "env -S 'rm x'",
    "env -S'rm x'",
    "env --split-string='rm x'",
    'env --uns A rm x',
    'env -u A -C / rm x',
    'ssh -p 22 host rm x',
    "ssh host 'ls; rm x'",
    "hyperfine 'rm x'",
    'timeout "$T" rm x',
    'sudo $X rm x',
    'nice -10 rm x',
    '/lib64/ld-linux-x86-64.so.2 rm x',
    'watch sudo env A=1 timeout 5 rm x',
    "xargs -I{} sh -c 'rm {}'",
    'alias l="rm x"',
    'perf stat -e x rm x',
    'ip netns exec n rm x',
    'command exec rm x',
  ];
  it('do not hide a command from a deny rule', async () => {
    expect(await decisions(denied)).toEqual(all(denied, 'deny'));
  });

  const harmless = [
    'watch ls rm',
    'command -v rm',
    'npm install rm',
    'npm run rm x',
    'git submodule update',
    'git rebase main',
    'uv pip install rm',
    'flock /l ls rm',
    'ssh host ls',
    'perf list rm',
    'gdb rm',
    'fd rm x',
    'make rm x',
  ];
  it('are no reason to deny where they run something else', async () => {
    expect(await decisions(harmless)).toEqual(all(harmless, 'allow'));
  });

  const wrapping = [
    'watch ls',
    'setsid ls',
    'sudo ls',
    'flock /l ls',
    "su -c 'ls'",
    'parallel ls ::: a',
    'fd -x ls',
    'git bisect run ls',
    "git submodule foreach 'ls'",
    'git rebase -x ls main',
    'script -c ls',
    "env -S 'ls'",
    'npx ls',
    'uv run ls',
    'pnpm dlx ls',
  ];
  it('are not covered with what they run by a rule for them', async () => {
    const allow = wrapping.map((line) => `bash(${line.split(' ')[0] ?? ''}*)`);
    expect(await decisions(wrapping, allow)).toEqual(all(wrapping, 'ask'));
  });

  it('are covered where each has a rule, or a package is named', async () => {
    const allow = [
      'bash(sudo*)',
      'bash(flock*)',
      'bash(ls*)',
      'bash(npx prettier*)',
      'bash(uv run pytest*)',
      'bash(ssh host*)',
    ];
    const lines = ['sudo ls', 'flock /l ls', 'npx prettier --check .', 'uv run pytest -x', 'ssh host uptime'];
    expect(await decisions(lines, allow)).toEqual(all(lines, 'allow'));
    const others = ['npx -y prettier .', 'npx "$X"', 'npx pretty', 'sudo -u root make'];
    expect(await decisions(others, allow)).toEqual(all(others, 'ask'));
  });
});
