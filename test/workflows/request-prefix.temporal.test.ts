import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChange, readPrefix } from '../labs/request-prefix.ts';
import type { VendorAnswer, VendorName } from '../servers/vendor-answers.ts';
import { startVendorModels, type VendorModels } from '../servers/vendor-models.ts';
import type { Agent, ExecutionMode } from '../../src/domain/agent.ts';
import { createAgentRepository } from '../../src/modules/agents/agent-repository.ts';
import { createConversationRepository } from '../../src/modules/turns/conversations/conversation-repository.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { submitTurn } from '../../src/modules/turns/submit-turn.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import {
  startScriptedServer,
  textResult,
  type ScriptedServer,
  type ScriptedTool,
} from '../servers/mcp-servers.ts';

const look: ScriptedTool = ({ arguments: { at } }) => textResult(`saw ${String(at)}`);

/** The tools of the MCP server; a test takes one away and brings it back. */
const tools: Record<string, ScriptedTool> = { look, wait: () => textResult('waited') };

let lab: TurnLab;
let models: VendorModels;
let server: ScriptedServer;
/** The answers that the models give next, whichever is asked. */
const script: ((() => Promise<VendorAnswer>) | VendorAnswer)[] = [];

beforeAll(async () => {
  server = await startScriptedServer(tools);
  models = await startVendorModels(() => {
    const next = script.shift() ?? { text: 'The script is over.' };
    return typeof next === 'function' ? next() : next;
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } }, environment: models.environment });
});

afterAll(async () => {
  await lab.close();
  await server.close();
  await models.close();
});

let calls = 0;

/** An answer that calls `look` for each of these places. */
function lookAt(...places: string[]): VendorAnswer {
  calls += 1;
  return {
    calls: places.map((at, index) => ({ id: `call_${calls}_${index}`, name: 'look', arguments: { at } })),
  };
}

async function open(
  model: string,
  execution: ExecutionMode,
): Promise<{ agent: Agent; conversationId: string }> {
  return lab.database.inWorkspace(lab.workspaceId, async (trx) => {
    const agent = await createAgentRepository(trx).createAgent({
      ...{ name: 'Looks', model, instructions: 'Look.', execution, limits: { maxIterations: 3 } },
      tools: [mcpTool('wait'), mcpTool('look', { effect: 'read_only' })],
    });
    const conversation = await createConversationRepository(trx).createConversation({ agentId: agent.id });
    return { agent, conversationId: conversation.id };
  });
}

async function say(conversationId: string, message: string, onBusy: 'reject' | 'steer' = 'reject') {
  const turnId = newId();
  await submitTurn(lab.turns, lab, { turnId, conversationId, input: { message, onBusy } });
  return turnId;
}

test.each<[VendorName, string, ExecutionMode]>([
  ['openai', 'openai/gpt-5', 'direct'],
  ['anthropic', 'anthropic/claude-sonnet-4-5', 'inspectable'],
  ['anthropic', 'anthropic/claude-sonnet-4-5', 'direct'],
  ['compatible', 'compatible/llama', 'inspectable'],
])(
  'the requests of turns with %s (%s, %s) begin with those before them',
  async (vendor, model, execution) => {
    const { conversationId } = await open(model, execution);
    const { requests } = models.of(vendor);
    const from = requests.length;
    const turn = async (message: string, ...answers: typeof script) => {
      script.push(...answers);
      return lab.waitForOutcome(await say(conversationId, message));
    };

    await turn('One.', lookAt('a', 'b'), { text: 'Seen.' });
    // The server forgets its sessions and is without the tool for a turn.
    delete tools['look'];
    server.forgetSessions();
    const without = await turn('Two.', lookAt('c'), { text: 'It is gone.' });
    expect(without.toolCalls).toMatchObject([{ status: 'failed' }]);
    tools['look'] = look;
    server.forgetSessions();
    await turn('Three.', lookAt('d'), { text: 'It is back.' });
    await turn(
      'Four.',
      lookAt('e'),
      async () => {
        await say(conversationId, 'And this?', 'steer');
        return { text: 'Not yet.' };
      },
      { text: 'Both.' },
    );
    const limited = await turn('Five.', lookAt('f'), lookAt('g'), lookAt('h'), { text: 'Enough.' });
    expect(limited).toMatchObject({ outcome: 'iteration_limit', answer: 'Enough.' });
    await turn('Six.', { text: 'Done.' });

    const prefixes = requests.slice(from).map((body) => readPrefix(vendor, body));
    expect(prefixes).toHaveLength(14);
    const last = prefixes[12];
    // The note of the call without tools is behind the messages, except where the tools are not sent at all.
    if (last && vendor === 'compatible') last.head = prefixes[0]?.head ?? '';
    else expect(last?.parts.pop()).toContain('without tools');
    const changes = prefixes
      .slice(1)
      .map((after, index) => prefixes[index] && findChange(prefixes[index], after));
    expect(changes).toEqual(Array.from({ length: 13 }, () => null));
  },
);
