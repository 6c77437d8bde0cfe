import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../../src/platform/database/connect-database.ts';
import { chainPendingEvents } from '../../../src/platform/outbox/audit-chain.ts';
import { chainAfterCommits } from '../../../src/platform/outbox/chain-after-commits.ts';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { measureRate, readSeconds, type LimitLab, type LimitTable } from './experiment.ts';

const sessions = 32;
const programCounts = [1, 10, 40];
const programWritesPerSecond = 100;

/** Writes audit events of one workspace and of many, and moves them into their chains. */
export async function measureAuditChain(lab: LimitLab): Promise<LimitTable> {
  const database = connectDatabase({ url: lab.databaseUrl, poolSize: sessions });
  const lines: string[][] = [];
  try {
    for (const count of [1, sessions]) {
      const ids = await createWorkspaces(database, count);
      const run = (session: number) => record(database, ids[session % count] ?? '');
      const { perSecond, postgresMs } = await measureRate(lab, { sessions, run });
      lines.push([
        `written by ${sessions} sessions, ${count} workspaces`,
        perSecond.toFixed(0),
        postgresMs.toFixed(2),
      ]);
      const chained = await measureChaining(lab, database, ids);
      lines.push([
        `moved into the chain, ${count} workspaces`,
        chained.perSecond.toFixed(0),
        chained.postgresMs.toFixed(2),
      ]);
    }
  } finally {
    await database.close();
  }
  return { title: 'The audit log', header: ['events', 'per second', 'Postgres CPU-ms each'], lines };
}

/** Lets many programs look for audit events after their commits, as each API process and worker does. */
export async function measureAuditPrograms(lab: LimitLab): Promise<LimitTable> {
  const lines: string[][] = [];
  const [workspaceId = ''] = await createWorkspaces(lab.database, 1);
  for (const count of programCounts) {
    const programs = Array.from({ length: count }, () =>
      chainAfterCommits(connectDatabase({ url: lab.databaseUrl, poolSize: 1 }), () => undefined),
    );
    const before = readSeconds(lab.postgres);
    const writesEach = (lab.durationMs / 1000) * (programWritesPerSecond / count);
    const pauseMs = lab.durationMs / writesEach;
    await Promise.all(
      programs.map(async (program) => {
        await sleep(Math.random() * pauseMs);
        for (let write = 0; write < writesEach; write += 1) {
          await Promise.all([record(program, workspaceId), sleep(pauseMs)]);
        }
      }),
    );
    const used = readSeconds(lab.postgres) - before;
    const writes = writesEach * count;
    await Promise.all(programs.map((program) => program.close()));
    lines.push([`${count} programs`, ((used / writes) * 1000).toFixed(2)]);
  }
  return {
    title: `Chaining by many programs: together ${programWritesPerSecond} commits with an event each a second`,
    header: ['', 'Postgres CPU-ms for each event'],
    lines,
  };
}

async function createWorkspaces({ system }: Database, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({ id: newId(), name: 'audit' }));
  await system('workspaces').insert(rows);
  return rows.map(({ id }) => id);
}

function record(database: Pick<Database, 'inWorkspace'>, workspaceId: string): Promise<void> {
  return database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).record({
      ...{ type: 'tool.executed', subjectId: newId() },
      payload: { tool: 'calculate', arguments: 'a'.repeat(100) },
    }),
  );
}

async function measureChaining({ postgres }: LimitLab, { system }: Database, workspaceIds: string[]) {
  const [row] = await system('audit_pending').count<{ count: number }[]>('* as count');
  const before = readSeconds(postgres);
  const startedAt = performance.now();
  await Promise.all(workspaceIds.map((workspaceId) => chainPendingEvents(system, workspaceId)));
  const count = row?.count ?? 0;
  return {
    perSecond: (count / (performance.now() - startedAt)) * 1000,
    postgresMs: ((readSeconds(postgres) - before) * 1000) / count,
  };
}
