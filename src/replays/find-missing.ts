import type { Knex } from 'knex';
import type { FieldError } from '../domain/errors.ts';
import type { ReplayInput } from '../domain/replay.ts';

/** Finds what a replay names and the workspace does not have. */
export async function findMissing(trx: Knex, { candidate, judge }: ReplayInput): Promise<FieldError[]> {
  const named: [field: string, table: string, id: string | null | undefined][] = [
    ['candidate.agentVersionId', 'agent_versions', candidate.agentVersionId],
    ['candidate.agent.modelConnectionId', 'connections', candidate.agent?.modelConnectionId],
    ['candidate.modelConnectionId', 'connections', candidate.modelConnectionId],
    ['judge.modelConnectionId', 'connections', judge?.modelConnectionId],
  ];
  const errors: FieldError[] = [];
  for (const [field, table, id] of named) {
    if (id == null || (await trx(table).where({ id }).first<{ id: string } | undefined>('id'))) continue;
    errors.push({ field, message: `expected the id of one of the workspace, found ${id}` });
  }
  return errors;
}
