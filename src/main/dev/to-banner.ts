import path from 'node:path';
import type { Running } from '../running.ts';
import type { Development } from './development.ts';

interface BannerFacts {
  file: Running;
  seed: Development;
  dataDir: string;
  /** Whether a worker runs. */
  worker: boolean;
}

/** Returns the last output of `npm start`: the addresses, the development key, and a request to try. */
export function toBanner({ file, seed, dataDir, worker }: BannerFacts): string {
  const relative = path.relative('.', path.join(dataDir, 'development-key'));
  const keyFile = relative.startsWith('..') ? path.join(dataDir, 'development-key') : relative;
  const rows = [
    ['API', `${file.api}/api`],
    ['Temporal', `${file.temporal.address}, namespace ${file.temporal.namespace}`],
    ['Temporal Web UI', file.temporal.ui ?? 'the one of that cluster'],
    ['Workspace', seed.workspaceId],
    ['Conversation', seed.conversationId],
    ['Task queue', seed.taskQueue],
    ['API key', `${seed.apiKey} (kept in ${keyFile})`],
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
    'Try it:',
    '',
    `  ${toCurl(file.api, keyFile, seed.conversationId)}`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}

function toCurl(api: string, keyFile: string, conversationId: string): string {
  return [
    `curl -sS '${api}/api/conversations/${conversationId}/turns?wait=true'`,
    `-H "Authorization: Bearer $(cat ${keyFile})"`,
    '-H "Idempotency-Key: $(date +%s)"',
    "-H 'Content-Type: application/json'",
    `-d '{"message":"What time is it?"}'`,
  ].join(' ');
}
