import { describe, expect, it } from 'vitest';
import {
  answer,
  badGateway,
  drop,
  fail,
  startScriptedApi,
  stream,
  streamOrPage,
  type Reply,
  type Script,
} from '../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  delta,
  reset,
  stored,
  toCall,
  toMessage,
  toSettled,
  toToolCall,
  toTurn,
  turnId,
} from '../servers/scripted-events.ts';
import { runCli, startCli, toEnvironment, type CliResult } from '../labs/run-cli.ts';

const startRoute = `POST /api/conversations/${conversationId}/turns`;
const eventsRoute = `GET /api/turns/${turnId}/events`;
const cancelRoute = `POST /api/turns/${turnId}/cancel`;

const agents = [
  { id: '0198a000-0000-7000-8000-0000000000ff', name: 'Support', model: 'openai/any' },
  { id: agentId, name: 'Demo agent', model: 'demo' },
];

function toScript(events: Reply | Reply[], more: Script = {}): Script {
  return {
    'GET /api/agents': answer({ agents, nextCursor: null }),
    'POST /api/conversations': answer({ conversation: { id: conversationId, agentId, title: null } }, 201),
    [startRoute]: answer({ turn: toTurn() }, 202),
    [eventsRoute]: events,
    ...more,
  };
}

async function chat(script: Script, commandArguments = ['--once', 'hello'], input = '') {
  const api = await startScriptedApi(script);
  const result = await runCli(['chat', ...commandArguments], { environment: toEnvironment(api), input });
  return { api, ...result };
}

const started = stored([1, 0], 'turn.started', { message: 'hello' });
const answered = stored([2, 12], 'message.created', toMessage('Hello there.'));
const settled = stored([3, 12], 'turn.settled', toSettled('Hello there.'));
const deltas = [delta([1, 11], 'Hello '), delta([1, 12], 'there.')];

describe('holdfast chat with one message', () => {
  it('prints the answer once and ends with 0', async () => {
    const { api, code, stdout, stderr } = await chat(
      toScript(stream([started, ...deltas, answered, settled])),
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello there.\n', stderr: '' });
    expect(api.to('POST /api/conversations')[0]?.body).toEqual({ agentId });
    expect(api.to(startRoute)[0]?.body).toEqual({ message: 'hello' });
  });

  it('takes the message as plain words', async () => {
    const { api } = await chat(toScript(stream([settled])), ['what', 'time', 'is', 'it?']);
    expect(api.to(startRoute)[0]?.body).toEqual({ message: 'what time is it?' });
  });

  it('shows tool calls as they run', async () => {
    const toolCalls = [{ ...toCall(), type: 'mcp' as const, arguments: { message: 'hello' } }];
    const { stdout } = await chat(
      toScript(
        stream([
          started,
          stored([2, 0], 'message.created', toMessage('Let me see.', { toolCalls })),
          stored([3, 0], 'tool.started', { ...toCall(), attempt: 1 }),
          stored([4, 0], 'tool.executed', { ...toCall(), durationMs: 120, resultPreview: 'Echo: hello' }),
          delta([4, 13], 'It said', { iteration: 2 }),
          stored([5, 13], 'message.created', toMessage('It said hello.', { iteration: 2 })),
          stored([6, 13], 'turn.settled', toSettled('It said hello.')),
        ]),
      ),
    );
    expect(stdout).toBe('Let me see.\n→ everything_echo hello\n✓ 120 ms\nIt said hello.\n');
  });

  it('names parallel calls when they end, and says which failed and which outcome is unknown', async () => {
    const names = ['first', 'second', 'third'];
    const error = { code: 'TOOL_FAILED', message: 'no such file' };
    const { stdout } = await chat(
      toScript(
        stream([
          ...names.map((name, index) =>
            stored([index + 1, 0], 'tool.started', { ...toCall(index, name), attempt: 1 + index }),
          ),
          stored([4, 0], 'tool.failed', { ...toCall(1, 'second'), durationMs: 3, error }),
          stored([5, 0], 'tool.unknown', { ...toCall(2, 'third'), error }),
          stored([6, 0], 'tool.executed', { ...toCall(0, 'first'), durationMs: 2500, resultPreview: '' }),
          stored([7, 0], 'turn.settled', toSettled('Done.')),
        ]),
      ),
    );
    expect(stdout.split('\n')).toEqual([
      '→ first',
      '→ second (attempt 2)',
      '→ third (attempt 3)',
      '✗ second no such file',
      '? third outcome unknown',
      '✓ 2.50 s',
      'Done.',
      '',
    ]);
  });

  it('says which call was blocked, and by which rule', async () => {
    const error = { code: 'TOOL_BLOCKED', message: 'It may be called once a turn. Nothing was sent.' };
    const { stdout } = await chat(
      toScript(
        stream([
          stored([1, 0], 'tool.blocked', { ...toCall(0, 'refund'), rule: 'call_limit', error }),
          stored([2, 0], 'turn.settled', toSettled('Done.')),
        ]),
      ),
    );
    expect(stdout).toBe(
      '⊘ refund blocked by the rule call limit: It may be called once a turn. Nothing was sent.\nDone.\n',
    );
  });

  it('goes on after lost connections without doubled text', async () => {
    const { code, stdout } = await chat(
      toScript([
        stream([started, ...deltas.slice(0, 1)], 'break'),
        badGateway(),
        drop(),
        stream([...deltas, answered], 'break'),
        stream([answered, settled]),
      ]),
    );
    expect(code).toBe(0);
    expect(stdout.replace('\n(connection lost; trying again …)\n', '')).toBe('Hello there.\n');
  });

  it('says so when the model is called again, and starts the text again', async () => {
    const again = { attempt: 2 };
    const frames = [
      started,
      delta([1, 11], 'Hel'),
      reset([1, 12], again),
      delta([1, 13], 'Hello ', again),
      delta([1, 14], 'there', again),
    ];
    const { stdout } = await chat(toScript(stream([...frames, answered, settled])));
    expect(stdout).toBe('Hel\n(the answer broke off; it starts again)\nHello there.\n');
  });

  it('ends with 2 when the turn did not complete, and says why', async () => {
    const error = { code: 'MODEL_UNAVAILABLE', message: 'The model does not answer.' };
    const failed = toSettled('The model does not answer.', { outcome: 'failed', error });
    const { code, stdout } = await chat(toScript(stream([started, stored([2, 0], 'turn.settled', failed)])));
    expect(code).toBe(2);
    expect(stdout).toBe('! failed (MODEL_UNAVAILABLE)\nThe model does not answer.\n');
  });

  it('prints the stored answer when there is nothing left to stream', async () => {
    const turn = toTurn({ outcome: 'completed', answer: 'Hello there.' });
    const nothing: Reply = (response) => void response.writeHead(204).end();
    const { stdout, code } = await chat(
      toScript(nothing, { [`GET /api/turns/${turnId}`]: answer({ turn }) }),
    );
    expect({ stdout, code }).toEqual({ stdout: 'Hello there.\n', code: 0 });
  });

  it('shows arguments, whole results and token counts with --verbose', async () => {
    const toolCalls = [{ ...toCall(), type: 'mcp' as const, arguments: { message: 'hello' } }];
    const result = `{"echo":"${'x'.repeat(3000)}"}`;
    const { stdout } = await chat(
      toScript(
        stream([
          stored([1, 0], 'message.created', toMessage('', { toolCalls })),
          stored([2, 0], 'tool.started', { ...toCall(), attempt: 1 }),
          stored([3, 0], 'tool.executed', { ...toCall(), durationMs: 120, resultPreview: 'the start' }),
          settled.replace('"seq":3', '"seq":4'),
        ]),
        { [`GET /api/turns/${turnId}`]: answer({ turn: toTurn({ toolCalls: [toToolCall({ result })] }) }) },
      ),
      ['--verbose', '--once', 'hello'],
    );
    expect(stdout).toContain('  iteration 1: demo, 12 tokens in, 5 out\n');
    expect(stdout).toContain('→ everything_echo hello\n    {\n      "message": "hello"\n    }\n✓ 120 ms\n');
    expect(stdout).toContain(`    {\n      "echo": "${'x'.repeat(3000)}"\n    }\n`);
  });

  it('prints events as lines of JSON with --json', async () => {
    const { stdout } = await chat(toScript(stream([started, answered, settled])), ['--json', 'hello']);
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['turn.started', 'message.created', 'turn.settled']);
  });

  it('continues a conversation', async () => {
    const conversation = { id: conversationId, agentId, title: null };
    const { api, stdout } = await chat(
      toScript(stream([settled]), { [`GET /api/conversations/${conversationId}`]: answer({ conversation }) }),
      ['--conversation', conversationId, 'hello'],
    );
    expect(stdout).toBe('Hello there.\n');
    expect(api.to('POST /api/conversations')).toHaveLength(0);
  });

  it('finds the agent by its name, and names those there are when there is none of that name', async () => {
    const found = await chat(toScript(stream([settled])), ['--agent', 'support', 'hello']);
    expect(found.api.to('POST /api/conversations')[0]?.body).toEqual({ agentId: agents[0]?.id });
    const missing = await chat(toScript(stream([settled])), ['--agent', 'sales', 'hello']);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toBe('No agent has the id or name "sales". There are: "Support", "Demo agent".\n');
  });

  it('ends with 1 and the fields or the running turn when the start is refused', async () => {
    const busy = await chat({
      ...toScript(stream([])),
      [startRoute]: fail(409, {
        code: 'TURN_RUNNING',
        message: 'A turn runs in this conversation.',
        details: { turnId: 'another' },
      }),
    });
    expect(busy).toMatchObject({ code: 1, stderr: 'A turn runs in this conversation.\n  turnId: another\n' });
    const wrong = await chat({
      ...toScript(stream([])),
      [startRoute]: fail(400, {
        code: 'INVALID_INPUT',
        message: 'Wrong input.',
        details: [{ field: 'message', message: 'too long' }],
      }),
    });
    expect(wrong).toMatchObject({ code: 1, stderr: 'Wrong input.\n  message: too long\n' });
  });
});

describe('holdfast chat with lines on stdin', () => {
  it('holds one turn for each line that is not empty, all in one conversation', async () => {
    const { api, stdout, code } = await chat(toScript(stream([settled])), [], 'first\n\nsecond');
    expect({ stdout, code }).toEqual({ stdout: 'Hello there.\nHello there.\n', code: 0 });
    expect(api.to('POST /api/conversations')).toHaveLength(1);
    expect(api.to(startRoute).map(({ body }) => body)).toEqual([{ message: 'first' }, { message: 'second' }]);
  });
});

describe('Ctrl-C in holdfast chat', () => {
  const cancelled = stored(
    [2, 0],
    'turn.settled',
    toSettled('You cancelled the turn.', { outcome: 'cancelled' }),
  );

  async function interrupt(script: Script, presses: string[]): Promise<CliResult & { cancels: number }> {
    const api = await startScriptedApi(script);
    const run = startCli(['chat', '--once', 'hello'], { environment: toEnvironment(api) });
    for (const text of presses) {
      await run.shows(text);
      run.child.kill('SIGINT');
    }
    return { ...(await run.ended), cancels: api.to(cancelRoute).length };
  }

  it('cancels the turn', async () => {
    const hold = Promise.withResolvers<Parameters<Reply>[0]>();
    const script = toScript(
      (response, request) => {
        stream([started, delta([1, 11], 'Hel')], 'silence')(response, request);
        hold.resolve(response);
      },
      {
        [cancelRoute]: (response, request) => {
          answer({ turn: toTurn() })(response, request);
          void hold.promise.then((open) => open.end(cancelled));
        },
      },
    );
    const { code, stdout, cancels } = await interrupt(script, ['Hel']);
    expect({ code, cancels }).toEqual({ code: 2, cancels: 1 });
    expect(stdout).toBe('Hel\nCancelling … (Ctrl-C again leaves)\n! cancelled\nYou cancelled the turn.\n');
  });

  it('leaves when it is pressed again, and says how to look at the turn', async () => {
    const script = toScript(stream([started, delta([1, 11], 'Hel')], 'silence'), {
      [cancelRoute]: answer({ turn: toTurn() }),
    });
    const { code, stdout } = await interrupt(script, ['Hel', 'Cancelling']);
    expect(code).toBe(130);
    expect(stdout).toContain(`npx holdfast turns show ${turnId}`);
  });
});

it('holdfast chat uses no colours when it does not write to a terminal', async () => {
  const { stdout } = await chat(toScript(streamOrPage(stream([started, answered, settled]), answer({}))));
  expect(stdout).not.toContain('\u001b');
});
