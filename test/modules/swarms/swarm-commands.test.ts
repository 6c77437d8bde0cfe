import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';

const swarm = {
  ...{ id: 'swarm-1', kind: 'simple', goal: 'Write.', leader: 'agent-1', conversationId: null },
  ...{ status: 'running', limits: {}, turnsUsed: 1, tokensUsed: 0, parentSwarmId: null, parentTurnId: null },
  ...{ depth: 0, reason: null, result: null, startedBy: null, createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ deadlineAt: '2026-01-08T00:00:00.000Z', settledAt: null },
};
const subtask = {
  ...{ id: 'read', description: 'Read.', assignee: 'agent-1', depends_on: [], priority: 'medium' },
  ...{ status: 'done', attempts: 1, result: 'It is read.', error: null, turn_id: 'turn-1' },
  ...{ created_at: '2026-01-01T00:00:00.000Z', started_at: null, ended_at: null },
};
const after = { ...subtask, id: 'write', depends_on: ['read'], status: 'todo', result: null };
const pendingActions = [{ id: 'action-1', tool: 'pay', subtaskId: 'write' }];
const state = {
  ...{ subTasks: [subtask, after], blackboard: [{ id: 'style', value: 'dry', updatedAt: '' }] },
  messages: [{ topic: 'tides', from: { agentName: 'Writer' }, text: 'It is high.' }],
  ...{ subtaskLeaders: {}, teamConfig: {} },
};

describe('holdfast swarms', () => {
  it('starts a swarm with a leader, and waits for its end', async () => {
    const ended = { ...swarm, status: 'completed', reason: 'Done.', result: 'A text.', settledAt: 'now' };
    const api = await startScriptedApi({
      'POST /api/swarms': answerWith({ swarm: { ...swarm, state, pendingActions } }, 201),
      'GET /api/swarms/swarm-1': answerWith({ swarm: { ...ended, state, pendingActions } }),
    });
    const words = ['swarms', 'start', 'Write', 'it.', '--leader', 'agent-1', '--wait'];
    const { stdout, stderr } = await runCli(words, { environment: toEnvironment(api) });

    expect(stderr).toBe('');
    expect(stdout).toBe(
      'Swarm swarm-1 is completed: Done.\nGoal: Write.\n  read  done  It is read.\n  write  todo  after read\n' +
        '  style = "dry"\n  Writer to tides: It is high.\n  pay of write waits for a decision: action-1\nResult: A text.\n',
    );
    expect(api.to('POST /api/swarms').map(({ body }) => body)).toEqual([
      { kind: 'simple', goal: 'Write it.', leader: 'agent-1' },
    ]);
  });

  it('lists swarms, changes one, and ends it', async () => {
    const api = await startScriptedApi({
      'GET /api/swarms': answerWith({ swarms: [swarm], nextCursor: null }),
      'PATCH /api/swarms/swarm-1': answerWith({ swarm: { ...swarm, state, pendingActions } }),
      'POST /api/swarms/swarm-1/pause': answerWith({ swarm: { ...swarm, status: 'paused' } }),
      'POST /api/swarms/swarm-1/end': answerWith({ swarm: { ...swarm, status: 'ending', state } }),
    });
    const environment = toEnvironment(api);
    const run = async (...words: string[]) => (await runCli(['swarms', ...words], { environment })).stdout;
    const file = path.join(createTemporaryFolder(), 'change.json');
    const change = { blackboard: { set: [{ id: 'style', value: 'dry' }] } };
    writeFileSync(file, JSON.stringify(change));

    expect(await run('list')).toBe('swarm-1  2026-01-01T00:00:00.000Z  running    Write.\n');
    expect(await run('update', 'swarm-1', '--file', file)).toContain('  style = "dry"\n');
    expect(api.to('PATCH /api/swarms/swarm-1').map(({ body }) => body)).toEqual([change]);
    expect(await run('pause', 'swarm-1')).toBe('Swarm swarm-1 is paused.\n');
    expect(await run('end', 'swarm-1', '--force', '--reason', 'Enough.')).toBe('Swarm swarm-1 is ending.\n');
    expect(api.to('POST /api/swarms/swarm-1/end').map(({ body }) => body)).toEqual([
      { mode: 'force', reason: 'Enough.' },
    ]);
  });
});
