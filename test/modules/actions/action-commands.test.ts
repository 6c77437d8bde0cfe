import { describe, expect, it } from 'vitest';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';

const action = {
  ...{ id: 'action-1', kind: 'approval', status: 'pending', tool: 'pay', arguments: { amount: 5 } },
  ...{ turnId: 'turn-1', rootTurnId: 'turn-1', conversationId: 'c-1', toolCallId: 'call-1' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-08T00:00:00.000Z', remindedAt: null },
  ...{ decidedAt: null, decidedBy: null, reason: null, approvedArguments: null },
  ...{ question: null, schema: null, options: null, answer: null, isError: null },
  ...{ server: null, url: null, connections: ['shop'], askedBecause: ['amount > 3'] },
};

const question = {
  ...action,
  ...{ kind: 'question', tool: 'ask_user', arguments: { question: 'Which?' }, question: 'Which?' },
  ...{ options: ['red', '42'], schema: { type: 'string', enum: ['red', '42'] } },
};

describe('holdfast actions', () => {
  it('lists what waits, with its arguments', async () => {
    const api = await startScriptedApi({
      'GET /api/pending-actions': answerWith({ actions: [action], nextCursor: null }),
    });
    const { stdout } = await runCli(['actions', 'list'], { environment: toEnvironment(api) });

    expect(stdout).toBe(
      'action-1  pay with the credentials of shop {"amount":5}  asks because amount > 3  turn turn-1  until 2026-01-08T00:00:00.000Z\n',
    );
  });

  it('lists questions with their choices', async () => {
    const api = await startScriptedApi({
      'GET /api/pending-actions': answerWith({
        actions: [question, { ...question, server: 'shop', url: 'https://pay.example.com/' }],
        nextCursor: null,
      }),
    });
    const { stdout } = await runCli(['actions', 'list'], { environment: toEnvironment(api) });

    expect(stdout).toContain('ask_user "Which? (red, 42)"  turn');
    expect(stdout).toContain('ask_user of shop "Which? (red, 42)" at https://pay.example.com/  turn');
  });

  it('answers with a text where the question wants one, and with JSON otherwise', async () => {
    const decide = 'POST /api/pending-actions/action-1/decision';
    const answered = { ...question, status: 'answered' };
    const api = await startScriptedApi({
      'GET /api/pending-actions/action-1': [
        answerWith({ action: question }),
        answerWith({ action: { ...action, kind: 'client_tool' } }),
        answerWith({ action: { ...action, kind: 'client_tool' } }),
      ],
      [decide]: [1, 2, 3].map(() => answerWith({ action: answered })),
    });
    const environment = toEnvironment(api);
    const answer = (...rest: string[]) => runCli(['actions', 'answer', 'action-1', ...rest], { environment });
    const { stdout } = await answer('--answer', '42');
    await answer('--answer', '{ "lines": 3 }');
    await answer('--answer', 'No such file.', '--error');

    expect(stdout).toBe('ask_user is answered; turn turn-1 goes on.\n');
    expect(api.to(decide).map(({ body }) => body)).toEqual([
      { decision: 'answer', answer: '42' },
      { decision: 'answer', answer: { lines: 3 } },
      { decision: 'answer', answer: 'No such file.', isError: true },
    ]);
  });

  it('approves with other arguments, and rejects with a reason', async () => {
    const decide = 'POST /api/pending-actions/action-1/decision';
    const api = await startScriptedApi({
      [decide]: ['approved', 'rejected'].map((status) => answerWith({ action: { ...action, status } })),
    });
    const environment = toEnvironment(api);
    const approved = await runCli(
      ['actions', 'approve', 'action-1', '--arguments', '{ "amount": 4 }', '--acting-for', 'Ada'],
      { environment },
    );
    const rejected = await runCli(['actions', 'reject', 'action-1', '--reason', 'Too much.'], {
      environment,
    });

    expect(approved.stdout).toBe('pay is approved; turn turn-1 goes on.\n');
    expect(rejected.stdout).toBe('pay is rejected; turn turn-1 goes on.\n');
    expect(api.to(decide).map(({ body }) => body)).toEqual([
      { decision: 'approve', arguments: { amount: 4 }, actingFor: 'Ada' },
      { decision: 'reject', reason: 'Too much.' },
    ]);
  });

  it('sends nothing for arguments that are no JSON object', async () => {
    const api = await startScriptedApi({});
    const result = await runCli(['actions', 'approve', 'action-1', '--arguments', '[4]'], {
      environment: toEnvironment(api),
    });

    expect(result.code).toBe(1);
    expect(result.stderr).toContain('--arguments is no JSON object: [4]');
  });

  it('remembers an approval with the values of the call, lists it and forgets it', async () => {
    const decide = 'POST /api/pending-actions/action-1/decision';
    const forget = 'DELETE /api/approval-grants/grant-1';
    const until = '2027-01-31T00:00:00Z';
    const grant = {
      id: 'grant-1',
      tool: 'pay',
      target: null,
      pins: { amount: 5 },
      scope: 'workspace',
      until,
    };
    const api = await startScriptedApi({
      'GET /api/pending-actions/action-1': answerWith({ action }),
      [decide]: answerWith({ action: { ...action, status: 'approved' } }),
      'GET /api/approval-grants': answerWith({ approvalGrants: [grant], nextCursor: null }),
      [forget]: answerWith({ approvalGrant: grant }),
    });
    const environment = toEnvironment(api);
    const run = (...words: string[]) => runCli(['actions', ...words], { environment });
    await run('approve', 'action-1', '--remember', 'workspace', '--pin', 'amount', '--until', until);
    const unknown = await run('approve', 'action-1', '--remember', 'agent', '--pin', 'to', '--until', until);
    const endless = await run('approve', 'action-1', '--remember', 'agent');

    expect(api.to(decide).map(({ body }) => body)).toEqual([
      {
        decision: 'approve',
        remember: { tool: 'pay', pins: { amount: 5 }, scope: 'workspace', until },
      },
    ]);
    expect(unknown.stderr).toContain('--pin to: this call of pay has no such argument');
    expect(endless.stderr).toContain('--remember needs --until');
    expect((await run('remembered')).stdout).toBe(
      `grant-1  pay {"amount":5}  in the workspace  until ${until}\n`,
    );
    expect((await run('forget', 'grant-1')).stdout).toBe('Calls of pay ask again.\n');
    expect(api.to(forget)).toHaveLength(1);
  });
});
