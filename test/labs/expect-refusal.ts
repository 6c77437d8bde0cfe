import { expect } from 'vitest';
import type { Api, ApiAnswer } from './api-lab.ts';

/** An audit event may move from one table to the other between two counts. */
const countAudit = '(SELECT count(*) FROM audit_events) + (SELECT count(*) FROM audit_pending) AS audited';

const statements = new WeakMap<Api, Promise<string>>();

/** Creates the statement that counts the rows of workspaces: one, since it runs twice for each test. */
async function createCount({ database }: Api): Promise<string> {
  const { rows } = await database.system.raw<{ rows: { name: string }[] }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_name NOT LIKE 'audit_%'`,
  );
  const counts = rows.map(({ name }) => `(SELECT count(*) FROM ${name}) AS ${name}`);
  return `SELECT ${[...counts, countAudit].join(', ')}`;
}

/** Counts the rows of workspaces by table. */
export async function countRows(api: Api): Promise<unknown> {
  const statement = statements.get(api) ?? createCount(api);
  statements.set(api, statement);
  const { rows } = await api.database.system.raw<{ rows: unknown[] }>(await statement);
  return rows[0];
}

/** The expected error. @default status 400 and code `INVALID_INPUT` */
interface Refusal {
  status?: number;
  code?: string;
  message?: string;
  details?: object;
}

/** Expects a request to be refused with a documented error and to store nothing. */
export async function expectRefusal(
  api: Api,
  run: () => Promise<Omit<ApiAnswer, 'data'>>,
  refusal: Refusal = {},
): Promise<void> {
  const before = await countRows(api);
  await expectRefusedAnswers([run], refusal);
  expect(await countRows(api)).toEqual(before);
}

/** Expects requests, one after the other, to be refused with the same documented error; the caller compares `countRows`. */
export async function expectRefusedAnswers(
  runs: readonly (() => Promise<Omit<ApiAnswer, 'data'>>)[],
  { status = 400, code = 'INVALID_INPUT', message, details }: Refusal = {},
): Promise<void> {
  for (const [index, run] of runs.entries()) {
    const answer = await run();
    expect({ index, status: answer.status, code: answer.error.code }).toEqual({ index, status, code });
    expect(answer.error.message).toMatch(/\w/);
    if (message !== undefined) expect(answer.error.message).toBe(message);
    if (details !== undefined) expect(answer.error.details).toMatchObject(details);
  }
}
