import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executionModes, type ExecutionMode } from '../../../src/domain/agent.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ToolInput } from '../../../src/domain/tool.ts';
import { eventually } from '../../labs/eventually.ts';
import { fetchTurnHistory } from '../../labs/histories.ts';
import { calculate, gatewayTool, mcpTool } from '../../labs/lab-tools.ts';
import {
  findFreePort,
  hang,
  startScriptedServer,
  textResult,
  type ScriptedServer,
} from '../../servers/mcp-servers.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { chainAudit } from '../../labs/chain-audit.ts';

const fiveMegabytes = 5 * 1024 * 1024;
const storedBytes = 256 * 1024;
const modelCharacters = 32 * 1024;

let lab: TurnLab;
let server: ScriptedServer;
/** The next results of the tools `cut` and `charge`; each call takes one. */
let cuts = 0;
let reached: string[] = [];

/** Breaks the socket while `cuts` last, like a server that dies during a call. */
function cutOrAnswer(name: string) {
  return async () => {
    reached.push(name);
    if (cuts === 0) return textResult(`${name} done`);
    cuts -= 1;
    server.cutConnections();
    return new Promise<never>(() => undefined);
  };
}

/** Answers after another attempt has ended the call. */
async function endedMeanwhile() {
  await lab.database
    .system('tool_calls')
    .where({ name: 'late', status: 'started' })
    .update({ status: 'succeeded', result: 'from another attempt', ended_at: new Date() });
  return textResult('too late');
}

beforeAll(async () => {
  const tools = {
    silent: hang,
    huge: () => textResult('x'.repeat(fiveMegabytes)),
    large: () => textResult('é'.repeat(150 * 1024)),
    medium: () => textResult('y'.repeat(100 * 1024)),
    broken: () => ({ ...textResult('no paper left'), isError: true }),
    cut: cutOrAnswer('cut'),
    charge: cutOrAnswer('charge'),
    late: endedMeanwhile,
    fickle: () => (cuts > 0 ? cutOrAnswer('fickle')() : { ...textResult('no paper left'), isError: true }),
    look: cutOrAnswer('look'),
  };
  const definitions = { look: { annotations: { readOnlyHint: true } } };
  server = await startScriptedServer(tools, { definitions });
  const away = `http://127.0.0.1:${await findFreePort()}/mcp`;
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url }, away: { url: away } } });
});

beforeEach(() => {
  cuts = 0;
  reached = [];
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

interface CallOptions {
  tools: ToolInput[];
  name: string;
  input?: JsonObject | string;
  execution?: ExecutionMode;
}

/** Runs a turn with one tool call. Returns the call and the result that the model was given. */
async function callOnce({ tools, name, input = {}, execution = 'inspectable' }: CallOptions) {
  const scene = await lab.scene({ execution, tools });
  scene.reply({ toolCalls: [{ name, arguments: input }] }, { text: 'Understood.' });
  const turn = await lab.waitForOutcome(await scene.say('Use your tool.'));
  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Understood.' });
  const told = scene.requests()[1]?.body.messages.at(-1);
  expect(told?.role).toBe('tool');
  const [call] = turn.toolCalls;
  if (!call) throw new Error('there should be a tool call');
  const events = (await lab.readEvents(scene.conversationId)).map(({ type }) => type);
  return { turn, call, told: told?.content ?? '', events };
}

describe.each(executionModes)('a tool call in %s execution', (execution) => {
  test('ends at its own time limit when the tool never answers, and the server is notified', async () => {
    const cancelled = server.cancelled.length;
    const { call, told, events } = await callOnce({
      execution,
      tools: [mcpTool('silent', { timeoutMs: 2_000, effect: 'read_only' })],
      name: 'silent',
    });

    expect(call).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'TOOL_TIMED_OUT' } });
    expect(told).toContain('TOOL_TIMED_OUT');
    expect(events).toContain('tool.failed');
    await eventually(
      () => server.cancelled.length,
      (length) => length === cancelled + 1,
    );
  });

  test('is reported as unknown when the tool never answers and may have acted', async () => {
    const { call, told, events } = await callOnce({
      execution,
      tools: [mcpTool('silent', { timeoutMs: 2_000 })],
      name: 'silent',
    });

    expect(call).toMatchObject({ status: 'unknown', attempts: 1, error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
    expect(told).toContain('TOOL_OUTCOME_UNKNOWN');
    expect(events).toContain('tool.unknown');
  });

  test('runs once when its result has 5 MB, and reports that the result is too large', async () => {
    const before = server.calls.size;
    const { call, told } = await callOnce({ execution, tools: [mcpTool('huge')], name: 'huge' });

    expect(server.calls.size).toBe(before + 1);
    expect(call).toMatchObject({ status: 'succeeded', attempts: 1, resultTruncated: true });
    expect(told).toContain('its answer is too large to be shown');
    expect(Buffer.byteLength(call.result ?? '')).toBeLessThanOrEqual(storedBytes);
    expect(told.length).toBeLessThanOrEqual(modelCharacters + 500);
  });

  test('stores a result up to 256 KiB, and gives the model up to 32 KiB with a marker', async () => {
    const { turn, call, told } = await callOnce({ execution, tools: [mcpTool('large')], name: 'large' });

    expect(call).toMatchObject({ status: 'succeeded', resultTruncated: true });
    expect(Buffer.byteLength(call.result ?? '')).toBeLessThanOrEqual(storedBytes);
    expect(Buffer.byteLength(call.result ?? '')).toBeGreaterThan(storedBytes - 4);
    expect(call.result).toMatch(/^é+$/);
    const [shown, marker] = told.split('\n');
    expect(shown?.length).toBeLessThanOrEqual(modelCharacters);
    expect(marker).toContain(`of ${300 * 1024} bytes`);
    expect(marker).toContain(call.id);
    const { events } = await fetchTurnHistory(lab, turn.id);
    const longest = Math.max(...(events ?? []).map((event) => JSON.stringify(event).length));
    expect(longest).toBeLessThan(20_000);
  });

  test('that may be repeated runs again after an interruption with the same key', async () => {
    cuts = 1;
    const { call } = await callOnce({ execution, tools: [mcpTool('cut', { effect: 'keyed' })], name: 'cut' });

    expect(call).toMatchObject({ status: 'succeeded', attempts: 2, result: 'cut done' });
    expect(reached).toEqual(['cut', 'cut']);
    const [row] = await lab.readLedger((await lab.readTurn(await turnOf(call.id))).id);
    expect(server.calls.get(`cut ${row?.key ?? ''}`)).toBe(2);
  });

  test('has an unknown outcome when it is refused after an attempt that may have acted', async () => {
    cuts = 1;
    const tool = mcpTool('fickle', { effect: 'keyed' });
    const { call, told } = await callOnce({ execution, tools: [tool], name: 'fickle' });

    expect(call).toMatchObject({ status: 'unknown', attempts: 2, error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
    expect(told).toContain('a later attempt was refused (TOOL_FAILED: no paper left)');
  });

  test('that may have acted does not run again after an interruption', async () => {
    cuts = 1;
    const { call, told } = await callOnce({ execution, tools: [mcpTool('charge')], name: 'charge' });

    expect(call).toMatchObject({ status: 'unknown', attempts: 1 });
    expect(reached).toEqual(['charge']);
    expect(told).toContain('It was not repeated');
  });

  test.each([
    ['look', 'read_only', 'succeeded'],
    ['charge', 'unsafe', 'unknown'],
  ])('behind a gateway has the effect of the tool there: %s is %s', async (tool, effect, status) => {
    cuts = 1;
    const input = { action: 'call', server: 'lab', tool };
    const { call, turn } = await callOnce({ execution, tools: [gatewayTool()], name: 'mcp', input });

    const attempts = status === 'succeeded' ? 2 : 1;
    expect(call).toMatchObject({ status, attempts });
    expect(reached).toEqual(Array.from({ length: attempts }, () => tool));
    expect(await lab.readLedger(turn.id)).toMatchObject([{ effect }]);
  });

  test('with invalid arguments returns an invalid field, and the model corrects them', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    scene.reply(
      { toolCalls: [{ name: 'calculate', arguments: { formula: '1 + 1' } }] },
      { toolCalls: [{ name: 'calculate', arguments: '{"expression": ' }] },
      { toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }] },
      { text: 'Two.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('What is one and one?'));

    expect(turn.toolCalls).toMatchObject([
      {
        status: 'failed',
        error: {
          code: 'INVALID_TOOL_ARGUMENTS',
          details: [{ field: 'expression', message: 'is required' }],
        },
      },
      { status: 'failed', arguments: null, error: { code: 'INVALID_TOOL_ARGUMENTS' } },
      { status: 'succeeded' },
    ]);
    const told = scene.requests().map(({ body }) => body.messages.at(-1)?.content ?? '');
    expect(told[1]).toContain('"field":"expression"');
    expect(told[2]).toContain('not a JSON object');
    expect(turn.answer).toBe('Two.');
  });
});

test('that another attempt has ended returns the stored result', async () => {
  const { call, told } = await callOnce({ tools: [mcpTool('late', { effect: 'read_only' })], name: 'late' });

  expect(call).toMatchObject({ status: 'succeeded', result: 'from another attempt' });
  expect(told).toBe('from another attempt');
});

async function turnOf(toolCallId: string): Promise<string> {
  const row = await lab.database
    .system('tool_calls')
    .where({ id: toolCallId })
    .first<{ turn_id: string }>('turn_id');
  return row.turn_id;
}

test('with a result between both limits stores it whole and cuts it for the model', async () => {
  const { call, told } = await callOnce({ tools: [mcpTool('medium')], name: 'medium' });

  expect(call).toMatchObject({ status: 'succeeded', resultTruncated: false });
  expect(call.result).toBe('y'.repeat(100 * 1024));
  expect(told.startsWith('y'.repeat(modelCharacters))).toBe(true);
  expect(told).toContain(`${modelCharacters} characters of ${100 * 1024} bytes`);
});

test('that the tool refuses gives the message of the tool to the model unchanged', async () => {
  const { call, told, events } = await callOnce({ tools: [mcpTool('broken')], name: 'broken' });

  expect(call).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: { code: 'TOOL_FAILED', message: 'no paper left' },
  });
  expect(told).toBe('TOOL_FAILED: no paper left');
  expect(events.filter((type) => type.startsWith('tool.'))).toEqual(['tool.started', 'tool.failed']);
});

test('of a tool that does not exist fails with an error', async () => {
  const { call, told } = await callOnce({ tools: [calculate], name: 'make_coffee' });

  expect(call).toMatchObject({ type: 'none', status: 'failed', error: { code: 'UNKNOWN_TOOL' } });
  expect(told).toContain('There is no tool make_coffee');
});

test.each(['workflow', 'agent', 'knowledge_base'] as const)(
  'a call of a stored tool of type %s without a target fails with an error',
  async (type) => {
    const tool = { ...calculate, type, name: 'lost', config: {} };
    const { call, told } = await callOnce({ tools: [tool], name: 'lost', input: { expression: '1' } });

    expect(call).toMatchObject({ type, status: 'failed', error: { code: 'TOOL_MISCONFIGURED' } });
    expect(told).toContain('TOOL_MISCONFIGURED');
  },
);

test('a disabled tool is neither offered nor run', async () => {
  const scene = await lab.scene({ tools: [mcpTool('charge', { enabled: false }), calculate] });
  scene.reply({ toolCalls: [{ name: 'charge', arguments: {} }] }, { text: 'It is off.' });
  const turn = await lab.waitForOutcome(await scene.say('Charge.'));

  expect(scene.requests()[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['calculate']);
  expect(turn.toolCalls).toMatchObject([{ status: 'failed', error: { code: 'TOOL_DISABLED' } }]);
  expect(reached).toEqual([]);
});

test('a call to an unreachable server is retried, also when the tool must not run twice', async () => {
  const tool: ToolInput = { ...mcpTool('charge'), type: 'mcp', config: { server: 'away' } };
  const { call } = await callOnce({ tools: [tool], name: 'charge' });

  expect(call).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'TOOL_UNREACHABLE' } });
});

test('a call whose end could not be stored is ended by the next model call', async () => {
  const { system } = lab.database;
  const { name } = calculate;
  await lab.asOwner(`
    CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.type = 'tool.executed' AND NEW.payload ->> 'tool_name' = '${name}' THEN RAISE 'the disk is full'; END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_pending FOR EACH ROW EXECUTE FUNCTION refuse_audit()`);
  const tool = { ...calculate, settings: { effect: 'keyed' as const } };
  const { call, told, events } = await callOnce({ tools: [tool], name, input: { expression: '1' } });
  await lab.asOwner('DROP TRIGGER refuse_audit ON audit_pending');

  expect(call).toMatchObject({ status: 'unknown', attempts: 3, error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
  expect(told).toContain('it was cut off after it may have taken effect');
  expect(events.filter((type) => type === 'tool.unknown')).toHaveLength(1);
  await chainAudit(system);
  expect(await system('audit_events').where({ subject_id: call.id })).toHaveLength(1);
});

test('every tool call writes one audit event that names the tool and its server', async () => {
  const { call } = await callOnce({ tools: [mcpTool('broken')], name: 'broken' });
  await chainAudit(lab.database.system);
  const audit = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    trx('audit_events').where({ subject_id: call.id }).select('type', 'payload'),
  );

  expect(audit).toEqual([
    {
      type: 'tool.failed',
      payload: {
        tool_name: 'broken',
        connector_name: 'lab',
        duration_ms: expect.any(Number) as number,
        error: { code: 'TOOL_FAILED', message: 'no paper left' },
      },
    },
  ]);
});
