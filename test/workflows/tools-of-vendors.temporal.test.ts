import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PendingAction } from '../../src/domain/action.ts';
import { executionModes, type Agent } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { eventually } from '../labs/eventually.ts';
import { startLabApi, type LabApi } from '../labs/lab-api.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { replay } from '../labs/replay-scene.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { startFormatServer, type FormatServer } from '../servers/format-server.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';

const schema: JsonObject = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' } },
  anyOf: [{ required: ['id'] }, { required: ['name'] }],
  additionalProperties: false,
};
const approvalWhen = { properties: { id: { const: '7' } }, required: ['id'] };
const find = mcpTool('find', { effect: 'read_only', approvalWhen }, schema);

let anthropic: FormatServer;
let compatible: FormatServer;
let server: ScriptedServer;
let lab: TurnLab;
let api: LabApi;
const called: unknown[] = [];

beforeAll(async () => {
  server = await startScriptedServer({
    find: ({ arguments: input }) => {
      called.push(input);
      return textResult('Found.');
    },
  });
  // Both vendors refuse the schema as it is, so their models see it in one field, and give their arguments in it.
  const script = (body: JsonObject) => {
    const isAnswered = JSON.stringify((body.messages as JsonObject[]).at(-1)).includes('Found.');
    return isAnswered ? null : { tool: 'find', input: { input: { id: '7' } } };
  };
  anthropic = await startFormatServer('anthropic', script);
  compatible = await startFormatServer('compatible', script);
  const environment = {
    ...{ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: anthropic.baseUrl },
    HOLDFAST_COMPATIBLE_BASE_URL: compatible.baseUrl,
  };
  lab = await startTurnLab({ environment, mcpServers: { lab: { url: server.url } } });
  api = await startLabApi(lab);
});
afterAll(async () => {
  await api.stop();
  await lab.close();
  await Promise.all([anthropic.close(), compatible.close(), server.close()]);
});

async function send(conversationId: string, message: string): Promise<TurnDetails> {
  const { turn } = await api.ask<{ turn: TurnDetails }>(
    'POST',
    `/api/conversations/${conversationId}/turns`,
    {
      message,
    },
  );
  return turn;
}

/** Approves what a turn waits for, with what was proposed or with other arguments. */
async function approve(turnId: string, other?: JsonObject): Promise<JsonObject> {
  const read = () => api.ask<{ actions: PendingAction[] }>('GET', `/api/pending-actions?turnId=${turnId}`);
  const { actions } = await eventually(read, (found) =>
    found.actions.some(({ status }) => status === 'pending'),
  );
  const [action] = actions;
  if (action?.kind !== 'approval') throw new Error('expected an approval, found none');
  const decision = { decision: 'approve', ...(other && { arguments: other }) };
  await api.ask('POST', `/api/pending-actions/${action.id}/decision`, decision);
  return action.arguments;
}

describe.each(executionModes)('a tool in another form, in a turn in %s execution', (execution) => {
  test('is approved, called, shown and run again by its own arguments, whoever the model is of', async () => {
    called.length = 0;
    const agent = { name: `Finder ${execution}`, instructions: 'Find.', execution, tools: [find] };
    const { agent: made } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
      ...agent,
      model: 'anthropic/claude-sonnet-5',
    });
    const { conversation } = await api.ask<{ conversation: { id: string } }>('POST', '/api/conversations', {
      agentId: made.id,
    });
    const first = await send(conversation.id, 'Find 7.');
    expect(await approve(first.id)).toEqual({ id: '7' });
    expect(await lab.waitForOutcome(first.id)).toMatchObject({ outcome: 'completed', answer: 'Seen.' });
    expect(called).toEqual([{ id: '7' }]);
    expect(JSON.stringify(anthropic.bodies.at(-1))).toContain('"input":{"input":{"id":"7"}}');

    await api.ask('PATCH', `/api/agents/${made.id}`, { model: 'compatible/model' });
    const second = await send(conversation.id, 'Find 7 again.');
    expect(await approve(second.id, { name: 'seven' })).toEqual({ id: '7' });
    expect(await lab.waitForOutcome(second.id)).toMatchObject({ outcome: 'completed', answer: 'Seen.' });
    expect(called).toEqual([{ id: '7' }, { name: 'seven' }]);
    const shown = JSON.stringify(compatible.bodies.at(-1)).replaceAll('\\"', '"');
    expect(shown.match(/\{"input":\{"id":"7"\}\}/g)).toHaveLength(2);

    const again = await replay(
      { api },
      {
        selection: { turnIds: [first.id] },
        candidate: { model: 'compatible/model' },
        baseline: false,
      },
    );
    expect(again).toMatchObject({ status: 'completed', cases: 1 });
    expect(called).toHaveLength(2);
  });
});
