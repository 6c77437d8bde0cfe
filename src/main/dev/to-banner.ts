import path from 'node:path';
import type { Running } from '../running.ts';
import type { Development } from './development.ts';

interface BannerFacts {
  file: Running;
  seed: Development;
  dataDir: string;
  /** Whether a worker runs. */
  worker: boolean;
  /** The agent to talk to; null for the only one. */
  agent: string | null;
}

/** Returns the last output of `npm start`: the addresses, and commands to try. */
export function toBanner({ file, seed, dataDir, worker, agent }: BannerFacts): string {
  const inData = (name: string) => toShortest(path.join(dataDir, name));
  const rows = [
    // The fragment is for the page alone: a browser sends it to no server.
    ['Console', `${file.api}/#key=${seed.apiKey}`],
    ['API', `${file.api}/api`],
    ['Reference', `${file.api}/api/reference`],
    ['Temporal', `${file.temporal.address}, namespace ${file.temporal.namespace}`],
    ['Temporal Web UI', file.temporal.ui ?? 'the one of that cluster'],
    ['API key', `${seed.apiKey} (kept in ${inData('development-key')})`],
    ['Logs', inData('logs')],
  ];
  return [
    '',
    'Holdfast is running.',
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(16)} ${value}`),
    '',
    ...(worker
      ? []
      : ['No worker runs: turns are accepted and wait. Start one with: npx holdfast worker', '']),
    'Talk to an agent in another terminal:',
    '',
    `  npx holdfast chat${agent === null ? '' : ` --agent ${quote(agent)}`}`,
    '',
    'Or set variables for your programs (HOLDFAST_URL, HOLDFAST_API_KEY and others), and send a request:',
    '',
    `  . ${quote(toSourced(inData('env')))}`,
    `  ${request}`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}

const request = [
  'curl -sS "$HOLDFAST_URL/api/conversations/$HOLDFAST_CONVERSATION/turns?wait=true"',
  '-H "Authorization: Bearer $HOLDFAST_API_KEY"',
  "-H 'Content-Type: application/json'",
  `-d '{"message":"What time is it?"}'`,
].join(' ');

/** The path from here when it lies below, else the whole. */
function toShortest(file: string): string {
  const relative = path.relative('.', file);
  return relative.startsWith('..') ? file : relative;
}

/** POSIX shells look for a file without a slash in PATH. */
function toSourced(file: string): string {
  return file.includes('/') ? file : `./${file}`;
}

/** Quotes a word for a POSIX shell where it needs that. */
function quote(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
