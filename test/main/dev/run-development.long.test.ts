import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDevelopmentLab, listAlive } from '../../labs/development-lab.ts';

let lab: ReturnType<typeof createDevelopmentLab>;
beforeEach(() => {
  lab = createDevelopmentLab();
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('npm start, with a Postgres and a Temporal that it starts', () => {
  it('starts everything once over a data folder, stops everything on Ctrl-C, and keeps its data', async () => {
    const first = await lab.launchFully();
    expect(listAlive(first.running)).toEqual(['dev', 'api', 'worker', 'temporal', 'postgres', 'mcp']);
    const refused = lab.launch();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(
      `Holdfast is already running over ${lab.dataDir} (process ${first.running.pids.dev})`,
    );
    expect((await fetch(first.running.api)).status).toBe(200);
    expect(first.output()).toContain(first.running.temporal.ui);
    expect(statSync(path.join(lab.dataDir, 'running.json')).mode & 0o777).toBe(0o600);
    await query(first.running.postgres.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(first.output()).toContain('Everything is stopped.');
    expect(listAlive(first.running)).toEqual([]);
    expect(existsSync(path.join(lab.dataDir, 'running.json'))).toBe(false);
    const second = await lab.launchFully();
    const kept = await query(second.running.postgres.url, 'SELECT answer FROM kept');
    expect(kept).toEqual([{ answer: 42 }]);
  });

  it('stops everything when any other process exits', async () => {
    const { running, output, ended } = await lab.launchFully();
    process.kill(running.pids.temporal ?? 0, 'SIGKILL');
    expect(await ended).toBe(1);
    expect(output()).toContain('Temporal ended by itself with signal SIGKILL. Everything was stopped.');
    expect(listAlive(running)).toEqual([]);
  });

  it('cleans up after a start that was killed', async () => {
    const first = await lab.launchFully();
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await lab.launchFully();
    expect(listAlive(first.running)).toEqual([]);
    expect(listAlive(second.running)).toHaveLength(6);
  });

  it('stops cleanly during its start', async () => {
    const { child, output, ended } = lab.launch();
    while (!existsSync(path.join(lab.dataDir, 'processes', 'Temporal'))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output()).toContain('Everything is stopped.');
    expect(existsSync(path.join(lab.dataDir, 'processes', 'Temporal'))).toBe(false);
  });
});
