import { expect, test } from 'vitest';
import type { RoutineStep } from '../../../src/domain/routine.ts';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';
import { answerWith, failWith, startScriptedApi, type Reply } from '../../servers/scripted-api.ts';

const runId = '0198a000-0000-7000-8000-000000000010';
const childId = '0198a000-0000-7000-8000-000000000011';
const until = '2030-01-01T00:00:00.000Z';

const names = ['pay', 'ask', 'hear', 'sleep', 'clean'];
const waits = ['action a-1', `action ${childId}`, 'an event', until, `run ${childId}`];

const steps = waits.map((waitsFor, index): RoutineStep => ({
  ...{ number: index + 1, path: '/do/0', name: names[index] ?? '', kind: 'call', state: 'waiting' },
  ...{ startedAt: until, endedAt: null, outputPreview: null, error: null, waitsFor },
}));
const run = {
  ...{ id: runId, routineId: 'r-1', routineName: 'close', version: 1, agentId: 'a', conversationId: 'c' },
  ...{ parentRunId: null, status: 'running', input: {}, output: null, error: null, startedBy: null },
  ...{ callerTurnId: null, callerAgentId: null, createdAt: until, settledAt: null, steps },
};
const settled = { ...run, status: 'completed', output: 7, settledAt: until, steps: [] };

const action = {
  ...{ id: 'a-1', kind: 'approval', status: 'pending', tool: 'pay', target: null, arguments: { amount: 5 } },
  ...{ turnId: runId, rootTurnId: runId, conversationId: 'c', toolCallId: 'call-1', question: null },
};
const question = { ...action, id: 'a-2', kind: 'question', turnId: childId, question: 'Which account?' };

async function wait(pendingActions: Reply, ...options: string[]) {
  const api = await startScriptedApi({
    'POST /api/routines/r-1/runs': [run, run, run, settled].map((one) => answerWith({ run: one }, 202)),
    'GET /api/pending-actions': pendingActions,
  });
  const words = ['routines', 'run', 'r-1', '--wait', ...options];
  return { api, ...(await runCli(words, { environment: toEnvironment(api) })) };
}

test('a run says what it waits for, once for each wait', async () => {
  const { stdout, stderr } = await wait(answerWith({ actions: [action, question], nextCursor: null }));
  expect(stderr.trimEnd().split('\n')).toEqual([
    '1. pay waits for an approval of pay {"amount":5}: a-1',
    '  npx holdfast actions approve a-1',
    '  npx holdfast actions reject a-1',
    '2. ask waits for an answer to "Which account?": a-2',
    '  npx holdfast actions answer a-2 --answer <answer>',
    '3. hear waits for an event, which POST /api/routine-events takes',
    `4. sleep waits until ${until}`,
    `5. clean waits for the run ${childId}: npx holdfast routine-runs watch ${childId}`,
  ]);
  expect(stdout).toBe(`${runId}  ${until}  close 1  completed\noutput: 7\n`);
});

test('the output stays JSON, and a key that may not read actions still learns that a decision is needed', async () => {
  const forbidden = failWith(403, { code: 'FORBIDDEN', message: 'The key lacks conversations:read.' });
  const { code, stdout, stderr } = await wait(forbidden, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
  expect(stderr).toContain('1. pay waits for a decision: npx holdfast actions list\n');
});
