import { describe, expect, test } from 'vitest';
import { emptySwarm, isNumber, toRequest } from '../../../../console/src/screens/swarms/swarm-draft.ts';
import { swarmInputSchema } from '../../../../src/domain/swarm.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';

const agentId = newId();

describe('the request of a form for a swarm', () => {
  test('is simple with a leader alone', () => {
    const request = toRequest({ ...emptySwarm, goal: ' Tides ', leader: agentId });
    expect(swarmInputSchema.parse(request)).toMatchObject({ kind: 'simple', goal: 'Tides', leader: agentId });
  });

  test('has members, subtasks in their order, and limits in the units of the API', () => {
    const request = toRequest({
      ...emptySwarm,
      goal: 'Tides',
      members: [
        { key: 1, agentId, name: 'writer', role: '' },
        { key: 2, agentId: '', name: 'nobody', role: '' },
      ],
      subtasks: [
        { key: 1, id: 'facts', description: 'Three facts.', assignee: 'writer', after: '', priority: 'high' },
        { key: 2, id: ' page', description: 'A page.', assignee: '', after: 'facts, ', priority: 'medium' },
      ],
      limits: { turns: '10', concurrency: '', hours: '1.5', tokens: '', dollars: '0.25' },
    });
    expect(swarmInputSchema.parse(request)).toMatchObject({
      kind: 'rich',
      teamConfig: { members: [{ agentId, name: 'writer' }] },
      subtasks: [
        { id: 'facts', description: 'Three facts.', assignee: 'writer', depends_on: [], priority: 'high' },
        { id: 'page', description: 'A page.', depends_on: ['facts'], priority: 'medium' },
      ],
      limits: { turns: 10, timeMs: 5_400_000, credits: '250000' },
    });
  });

  test('takes numbers of at least zero for limits', () => {
    expect(['', ' ', '0', '12', '.5', '1.25'].filter(isNumber)).toHaveLength(6);
    expect(['-1', 'ten', '1e3', '1,5', 'NaN'].filter(isNumber)).toEqual([]);
  });
});
