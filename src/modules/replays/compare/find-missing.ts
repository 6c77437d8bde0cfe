import type { Knex } from 'knex';
import type { FieldError } from '../../../domain/errors.ts';
import type { ReplayInput } from '../../../domain/replay.ts';

/** Finds what a replay names and the workspace does not have. */
export async function findMissing(trx: Knex, { candidate, judge }: ReplayInput): Promise<FieldError[]> {
  const fallbacks = candidate.agent?.fallbackModels ?? [];
  const named: [field: string, table: string, id: string | null | undefined][] = [
    ...fallbacks.map(({ modelConnectionId }, index): (typeof named)[number] => [
      `candidate.agent.fallbackModels.${index}.modelConnectionId`,
      'connections',
      modelConnectionId,
    ]),
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

/** Finds that a candidate with live answers is the version of another agent than the turns that are selected by their ids. */
export async function findOtherAgents(
  trx: Knex,
  { candidate: { agentVersionId }, selection }: ReplayInput,
): Promise<FieldError[]> {
  if (agentVersionId === undefined) return [];
  const { agentId, conversationIds = [], turnIds = [] } = selection;
  const { rows } = await trx.raw<{ rows: { other: string }[] }>(
    `SELECT other FROM agent_versions v CROSS JOIN LATERAL (
       SELECT :agentId::uuid AS other
       UNION ALL SELECT t.agent_id FROM turns t
       WHERE t.conversation_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:conversationIds::jsonb)::uuid))
       UNION ALL SELECT t.agent_id FROM turns t
       WHERE t.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:turnIds::jsonb)::uuid))
     ) AS selected
     WHERE v.id = :agentVersionId AND other <> v.agent_id LIMIT 1`,
    {
      ...{ agentVersionId, agentId: agentId ?? null },
      ...{ conversationIds: JSON.stringify(conversationIds), turnIds: JSON.stringify(turnIds) },
    },
  );
  const [found] = rows;
  if (!found) return [];
  const message = `expected a version of the agent ${found.other}: live calls are made for the agent of the recorded turn`;
  return [{ field: 'candidate.agentVersionId', message }];
}
