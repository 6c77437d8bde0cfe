import { toTable } from '../table.ts';
import type { PrefixRow } from './run-prefix.ts';

/** The figures as a table for people. */
export function toPrefixReport(rows: PrefixRow[]): string {
  const lines = rows.map(({ model, turns, requests, changes, heads, parts, hashes }) => [
    ...[model, String(turns), String(requests), heads.join(' '), String(parts)],
    ...[new Set(hashes).size === 1 ? (hashes[0] ?? '') : hashes.join(' '), String(changes)],
    changes === 0 ? 'PASS' : 'FAIL',
  ]);
  const header = [
    '',
    'turns',
    'requests',
    'tools and instructions',
    'parts',
    'with so many parts',
    'changes',
    'goal',
  ];
  return [
    toTable(header, lines),
    '',
    'SHA-256 of the tools and instructions of all requests, and of the beginning that the requests of the last turn have in',
    'common. A change is a request that does not begin with the one before it.',
  ].join('\n');
}
