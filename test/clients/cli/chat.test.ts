import { describe, expect, it } from 'vitest';
import {
  answerWith,
  badGateway,
  dropSocket,
  failWith,
  startScriptedApi,
  streamFrames,
  streamOrPage,
  type Reply,
  type Script,
} from '../../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  toDeltaFrame,
  toResetFrame,
  toStoredFrame,
  toCall,
  toMessagePayload,
  toSettledPayload,
  toToolCall,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';
import { runCli, spawnCli, toEnvironment, type CliResult } from '../../labs/run-cli.ts';

const startRoute = `POST /api/conversations/${conversationId}/turns`;
const eventsRoute = `GET /api/turns/${turnId}/events`;
const cancelRoute = `POST /api/turns/${turnId}/cancel`;

const agents = [
  { id: '0198a000-0000-7000-8000-0000000000ff', name: 'Support', model: 'openai/any' },
  { id: agentId, name: 'Demo agent', model: 'demo' },
];

const conversation = { id: conversationId, agentId, title: null };

function toScript(events: Reply | Reply[], more: Script = {}): Script {
  return {
    'GET /api/agents': answerWith({ agents, nextCursor: null }),
    'POST /api/conversations': answerWith({ conversation }, 201),
    [startRoute]: answerWith({ turn: toTurn() }, 202),
    [eventsRoute]: events,
    ...more,
  };
}

async function chat(script: Script, commandArguments = ['--once', 'hello'], input = '') {
  const api = await startScriptedApi(script);
  const result = await runCli(['chat', ...commandArguments], { environment: toEnvironment(api), input });
  return { api, ...result };
}

const started = toStoredFrame([1, 0], 'turn.started', { message: 'hello' });
const answered = toStoredFrame([2, 12], 'message.created', toMessagePayload('Hello there.'));
const settled = toStoredFrame([3, 12], 'turn.settled', toSettledPayload('Hello there.'));
const deltas = [toDeltaFrame([1, 11], 'Hello '), toDeltaFrame([1, 12], 'there.')];

describe('holdfast chat with one message', () => {
  it('prints the answer once and ends with 0', async () => {
    const { api, code, stdout, stderr } = await chat(
      toScript(streamFrames([started, ...deltas, answered, settled])),
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello there.\n', stderr: '' });
    expect(api.to('POST /api/conversations')[0]?.body).toEqual({ agentId });
    expect(api.to(startRoute)[0]?.body).toEqual({ message: 'hello' });
  });

  it('takes the message as several words without quotes', async () => {
    const { api } = await chat(toScript(streamFrames([settled])), ['what', 'time', 'is', 'it?']);
    expect(api.to(startRoute)[0]?.body).toEqual({ message: 'what time is it?' });
  });

  it('shows tool calls as they run', async () => {
    const toolCalls = [{ ...toCall(), type: 'mcp' as const, arguments: { message: 'hello' } }];
    const { stdout } = await chat(
      toScript(
        streamFrames([
          started,
          toStoredFrame([2, 0], 'message.created', toMessagePayload('Let me see.', { toolCalls })),
          toStoredFrame([3, 0], 'tool.started', { ...toCall(), attempt: 1 }),
          toStoredFrame([4, 0], 'tool.executed', {
            ...toCall(),
            durationMs: 120,
            resultPreview: 'Echo: hello',
          }),
          toDeltaFrame([4, 13], 'It said', { iteration: 2 }),
          toStoredFrame([5, 13], 'message.created', toMessagePayload('It said hello.', { iteration: 2 })),
          toStoredFrame([6, 13], 'turn.settled', toSettledPayload('It said hello.')),
        ]),
      ),
    );
    expect(stdout).toBe('Let me see.\n→ everything_echo hello\n✓ 120 ms\nIt said hello.\n');
  });

  it('prints parallel calls when they end, and marks those that failed or whose outcome is unknown', async () => {
    const names = ['first', 'second', 'third'];
    const error = { code: 'TOOL_FAILED', message: 'no such file' };
    const { stdout } = await chat(
      toScript(
        streamFrames([
          ...names.map((name, index) =>
            toStoredFrame([index + 1, 0], 'tool.started', { ...toCall(index, name), attempt: 1 + index }),
          ),
          toStoredFrame([4, 0], 'tool.failed', { ...toCall(1, 'second'), durationMs: 3, error }),
          toStoredFrame([5, 0], 'tool.unknown', { ...toCall(2, 'third'), error }),
          toStoredFrame([6, 0], 'tool.executed', {
            ...toCall(0, 'first'),
            durationMs: 2500,
            resultPreview: '',
          }),
          toStoredFrame([7, 0], 'turn.settled', toSettledPayload('Done.')),
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
    const error = { code: 'TOOL_BLOCKED', message: 'Once a turn. Nothing was sent.' };
    const { stdout } = await chat(
      toScript(
        streamFrames([
          toStoredFrame([1, 0], 'tool.blocked', { ...toCall(0, 'refund'), rule: 'call_limit', error }),
          toStoredFrame([2, 0], 'turn.settled', toSettledPayload('Done.')),
        ]),
      ),
    );
    expect(stdout).toBe('⊘ refund blocked by the rule call limit: Once a turn. Nothing was sent.\nDone.\n');
  });

  it('resumes after lost connections and prints no text twice', async () => {
    const { code, stdout } = await chat(
      toScript([
        streamFrames([started, ...deltas.slice(0, 1)], 'break'),
        badGateway(),
        dropSocket(),
        streamFrames([...deltas, answered], 'break'),
        streamFrames([answered, settled]),
      ]),
    );
    expect(code).toBe(0);
    expect(stdout.replace('\n(connection lost; trying again …)\n', '')).toBe('Hello there.\n');
  });

  it('prints a notice when the model is called again, and starts the text again', async () => {
    const again = { attempt: 2 };
    const frames = [
      started,
      toDeltaFrame([1, 11], 'Hel'),
      toResetFrame([1, 12], again),
      toDeltaFrame([1, 13], 'Hello ', again),
      toDeltaFrame([1, 14], 'there', again),
    ];
    const { stdout } = await chat(toScript(streamFrames([...frames, answered, settled])));
    expect(stdout).toBe('Hel\n(the answer was interrupted; it starts again)\nHello there.\n');
  });

  it('prints the stored answer when the stream has nothing left', async () => {
    const turn = toTurn({ outcome: 'completed', answer: 'Hello there.' });
    const nothing: Reply = (response) => void response.writeHead(204).end();
    const { stdout, code } = await chat(
      toScript(nothing, { [`GET /api/turns/${turnId}`]: answerWith({ turn }) }),
    );
    expect({ stdout, code }).toEqual({ stdout: 'Hello there.\n', code: 0 });
  });

  it('shows arguments, whole results and token counts with --verbose', async () => {
    const toolCalls = [{ ...toCall(), type: 'mcp' as const, arguments: { message: 'hello' } }];
    const result = `{"echo":"${'x'.repeat(3000)}"}`;
    const { stdout } = await chat(
      toScript(
        streamFrames([
          toStoredFrame([1, 0], 'message.created', toMessagePayload('', { toolCalls })),
          toStoredFrame([2, 0], 'tool.started', { ...toCall(), attempt: 1 }),
          toStoredFrame([3, 0], 'tool.executed', {
            ...toCall(),
            durationMs: 120,
            resultPreview: 'the start',
          }),
          settled.replace('"seq":3', '"seq":4'),
        ]),
        {
          [`GET /api/turns/${turnId}`]: answerWith({ turn: toTurn({ toolCalls: [toToolCall({ result })] }) }),
        },
      ),
      ['--verbose', '--once', 'hello'],
    );
    expect(stdout).toContain('  iteration 1: demo, 12 tokens in, 5 out\n');
    expect(stdout).toContain('→ everything_echo hello\n    {\n      "message": "hello"\n    }\n✓ 120 ms\n');
    expect(stdout).toContain(`    {\n      "echo": "${'x'.repeat(3000)}"\n    }\n`);
  });

  it('prints events as lines of JSON with --json', async () => {
    const { stdout } = await chat(toScript(streamFrames([started, answered, settled])), ['--json', 'hello']);
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['turn.started', 'message.created', 'turn.settled']);
  });

  it('continues a conversation', async () => {
    const conversation = { id: conversationId, agentId, title: null };
    const { api, stdout } = await chat(
      toScript(streamFrames([settled]), {
        [`GET /api/conversations/${conversationId}`]: answerWith({ conversation }),
      }),
      ['--conversation', conversationId, 'hello'],
    );
    expect(stdout).toBe('Hello there.\n');
    expect(api.to('POST /api/conversations')).toHaveLength(0);
  });

  it('finds the agent by its name, and lists the agents when no agent has that name', async () => {
    const found = await chat(toScript(streamFrames([settled])), ['--agent', 'support', 'hello']);
    expect(found.api.to('POST /api/conversations')[0]?.body).toEqual({ agentId: agents[0]?.id });
    const missing = await chat(toScript(streamFrames([settled])), ['--agent', 'sales', 'hello']);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toBe('No agent has the id or name "sales". There are: "Support", "Demo agent".\n');
  });

  it('exits with 1 when the start is refused, and prints the invalid fields or the running turn', async () => {
    const busy = await chat({
      ...toScript(streamFrames([])),
      [startRoute]: failWith(409, {
        code: 'TURN_RUNNING',
        message: 'A turn runs in this conversation.',
        details: { turnId: 'another' },
      }),
    });
    expect(busy).toMatchObject({ code: 1, stderr: 'A turn runs in this conversation.\n  turnId: another\n' });
    const wrong = await chat({
      ...toScript(streamFrames([])),
      [startRoute]: failWith(400, {
        code: 'INVALID_INPUT',
        message: 'Wrong input.',
        details: [{ field: 'message', message: 'too long' }],
      }),
    });
    expect(wrong).toMatchObject({ code: 1, stderr: 'Wrong input.\n  message: too long\n' });
  });
});

describe('holdfast chat with lines on stdin', () => {
  it('runs one turn for each non-empty line, all in one conversation', async () => {
    const { api, stdout, code } = await chat(toScript(streamFrames([settled])), [], 'first\n\nsecond');
    expect({ stdout, code }).toEqual({ stdout: 'Hello there.\nHello there.\n', code: 0 });
    expect(api.to('POST /api/conversations')).toHaveLength(1);
    expect(api.to(startRoute).map(({ body }) => body)).toEqual([{ message: 'first' }, { message: 'second' }]);
  });
});

describe('Ctrl-C in holdfast chat', () => {
  const cancelled = toStoredFrame(
    [2, 0],
    'turn.settled',
    toSettledPayload('You cancelled the turn.', { outcome: 'cancelled' }),
  );

  async function interrupt(script: Script, presses: string[]): Promise<CliResult & { cancels: number }> {
    const api = await startScriptedApi(script);
    const run = spawnCli(['chat', '--once', 'hello'], { environment: toEnvironment(api) });
    for (const text of presses) {
      await run.shows(text);
      run.child.kill('SIGINT');
    }
    return { ...(await run.ended), cancels: api.to(cancelRoute).length };
  }

  it('cancels the turn when it is pressed once', async () => {
    const hold = Promise.withResolvers<Parameters<Reply>[0]>();
    const script = toScript(
      (response, request) => {
        streamFrames([started, toDeltaFrame([1, 11], 'Hel')], 'silence')(response, request);
        hold.resolve(response);
      },
      {
        [cancelRoute]: (response, request) => {
          answerWith({ turn: toTurn() })(response, request);
          void hold.promise.then((open) => open.end(cancelled));
        },
      },
    );
    const { code, stdout, cancels } = await interrupt(script, ['Hel']);
    expect({ code, cancels }).toEqual({ code: 2, cancels: 1 });
    expect(stdout).toBe('Hel\nCancelling … (Ctrl-C again leaves)\n! cancelled\nYou cancelled the turn.\n');
  });

  it('exits when it is pressed again, and prints how to inspect the turn', async () => {
    const script = toScript(streamFrames([started, toDeltaFrame([1, 11], 'Hel')], 'silence'), {
      [cancelRoute]: answerWith({ turn: toTurn() }),
    });
    const { code, stdout } = await interrupt(script, ['Hel', 'Cancelling']);
    expect(code).toBe(130);
    expect(stdout).toContain(`npx holdfast turns show ${turnId}`);
  });
});

it('holdfast chat uses no colours when it does not write to a terminal', async () => {
  const { stdout } = await chat(
    toScript(streamOrPage(streamFrames([started, answered, settled]), answerWith({}))),
  );
  expect(stdout).not.toContain('\u001b');
});
