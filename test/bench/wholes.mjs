import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, timed } from './measure.mjs';
import { screens } from './screen/whole.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const larik = file('../../dist/main.js');
const bare = file('bare.mjs');
const megabyte = 1_000_000;

async function startServer() {
  const server = fork(file('server.mjs'), { stdio: 'inherit' });
  const port = await new Promise((resolve, reject) => server.once('message', resolve).once('exit', reject));
  return { url: `http://127.0.0.1:${port}`, stop: () => server.kill() };
}

/** A small git project of twenty files. */
function makeProject(folder) {
  mkdirSync(folder, { recursive: true });
  for (let number = 1; number <= 20; number += 1) {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `file ${number}, line ${line + 1}, with some words in it\n`,
    );
    writeFileSync(join(folder, `file${number}.txt`), lines.join(''));
  }
  const git = (...args) =>
    spawnSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Start');
}

/** What is run, each way with its own home: the program's words, and its environment. */
function way(root, name, play, url, sandbox) {
  const home = join(root, `${name}-${play}`);
  const config = join(home, '.config', 'larik');
  mkdirSync(config, { recursive: true });
  const base = `${url}/${play}/v1`;
  const providers = { bench: { type: 'openai-compatible', base_url: base, api_key_env: 'BENCH_KEY' } };
  const settings = { model: 'bench/bench', sandbox: { type: sandbox }, providers };
  writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', BENCH_KEY: 'key', BENCH_URL: base };
  const args = name === 'bare' ? [bare] : [larik, '-p', 'Do it.', '--mode', 'yolo'];
  return { name, args, options: { env, cwd: join(root, 'project') } };
}

/** The medians of some runs of each way, in turn: milliseconds and bytes. The first run of each does not count. */
async function compare(ways, repetitions, url) {
  const runs = new Map(ways.map(({ name }) => [name, []]));
  for (let round = 0; round <= repetitions; round += 1) {
    for (const { name, args, options } of ways) {
      const run = await timed(args, options);
      const log = url === undefined ? [] : await (await fetch(`${url}/log`)).json();
      if (round > 0) runs.get(name).push({ ...run, log });
    }
  }
  return Object.fromEntries(
    [...runs].map(([name, all]) => {
      const of = (pick) => median(all.map(pick));
      const first = of(({ log, began }) => (log[0]?.at ?? began) - began);
      const extending = all.every(({ log }) => log.every((request) => request.extends));
      return [name, { took: of(({ took }) => took), memory: of(({ memory }) => memory), first, extending }];
    }),
  );
}

function ratio(name, goal, one, other, unit = 'ms') {
  const scale = unit === 'MB' ? megabyte : 1;
  const detail = `${(one / scale).toFixed(0)} ${unit} to ${(other / scale).toFixed(0)}`;
  return { name, goal, unit: '×', figure: one / other, detail };
}

const memoryRow = (name, goal, larikRun, bareRun) => ({
  name,
  goal,
  unit: 'MB',
  figure: larikRun.memory / megabyte,
  detail: `bare: ${(bareRun.memory / megabyte).toFixed(0)}`,
});

async function starts({ root, repetitions }) {
  const options = { env: { PATH: process.env.PATH, HOME: root }, cwd: root };
  const ways = [
    { name: 'node', args: ['-e', '0'], options },
    { name: 'larik', args: [larik, '--version'], options },
  ];
  const { node, larik: ours } = await compare(ways, repetitions * 2);
  return [ratio('--version, to node -e 0', 1.3, ours.took, node.took)];
}

async function short({ both, repetitions, url }) {
  const runs = await compare(both('short'), repetitions * 2, url);
  return [
    ratio('start to first request, to bare', 2, runs.larik.first, runs.bare.first),
    ratio('short answer, to bare', 2.5, runs.larik.took, runs.bare.took),
    memoryRow('short answer, peak memory', 80, runs.larik, runs.bare),
  ];
}

async function steps({ both, repetitions, url }) {
  const runs = await compare(both('steps'), repetitions, url);
  const extending = {
    name: 'steps: requests extend the one before',
    goal: 1,
    unit: '=',
    figure: runs.larik.extending ? 1 : 0,
  };
  return [
    ratio('50 steps with a command, to bare', 2.5, runs.larik.took, runs.bare.took),
    memoryRow('50 steps, peak memory', 95, runs.larik, runs.bare),
    extending,
  ];
}

async function sandboxed({ repetitions, url, make }) {
  const ways = [
    make('larik', 'steps', 'none'),
    { ...make('sandboxed', 'steps', 'bubblewrap'), name: 'sandboxed' },
  ];
  const runs = await compare(ways, repetitions, url);
  const figure = (runs.sandboxed.took - runs.larik.took) / 50;
  const detail = `${runs.sandboxed.took.toFixed(0)} ms to ${runs.larik.took.toFixed(0)}`;
  return [{ name: '50 steps in bwrap, more a step', goal: 10, unit: 'ms', figure, detail }];
}

async function parallel({ both, repetitions, url }) {
  const runs = await compare(both('parallel'), repetitions, url);
  return [ratio('20 parallel reads, to bare', 2.5, runs.larik.took, runs.bare.took)];
}

async function stream({ both, repetitions, url }) {
  const runs = await compare(both('stream'), repetitions, url);
  return [
    ratio('2 MB answer, to bare', 1.3, runs.larik.took, runs.bare.took),
    memoryRow('2 MB answer, peak memory', null, runs.larik, runs.bare),
  ];
}

/** What is measured of the built program, by name; each gives rows of {name, goal, unit, figure, detail}. */
export const wholes = { version: starts, short, steps, sandbox: sandboxed, parallel, stream, ...screens };

/** Runs these by name, in a project and homes of their own. */
export async function measureWholes(names, repetitions) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'larik-bench-')));
  const server = await startServer();
  try {
    makeProject(join(root, 'project'));
    const make = (name, play, sandbox) => way(root, name, play, server.url, sandbox);
    const both = (play) => [make('bare', play, 'none'), make('larik', play, 'none')];
    const rows = [];
    for (const name of names) {
      rows.push(...(await wholes[name]({ root, repetitions, url: server.url, make, both })));
    }
    return rows;
  } finally {
    server.stop();
    rmSync(root, { recursive: true, force: true });
  }
}
