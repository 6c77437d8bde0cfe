import type { Agent } from '../../src/domain/agent.ts';
import {
  swarmInputSchema,
  type Subtask,
  type SwarmDetails,
  type SwarmInput,
} from '../../src/domain/swarm.ts';
import { hasEnded } from '../../src/domain/swarm.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createConversationRepository } from '../../src/modules/turns/conversations/conversation-repository.ts';
import { createAgentRepository } from '../../src/modules/agents/agent-repository.ts';
import { createSwarm } from '../../src/modules/swarms/create-swarm.ts';
import { readSwarm } from '../../src/modules/swarms/read-swarm.ts';
import type { SwarmDependencies } from '../../src/modules/swarms/swarm-dependencies.ts';
import { submitTurn } from '../../src/modules/turns/submit-turn.ts';
import { createFunctionRegistry } from '../../src/engines/tools/functions/function-registry.ts';
import { createSwarmEngine } from '../../src/modules/swarms/swarm-engine.ts';
import {
  toSwarmWorkflowId,
  type SwarmRef,
  type SwarmWorkflowInput,
} from '../../src/modules/swarms/swarm-contract.ts';
import { startPlannedModel, type PlannedModel } from '../servers/planned-model.ts';
import type { ChatRequestBody, ScriptEntry } from '../servers/scripted-model.ts';
import { eventually } from './eventually.ts';
import { startTurnLab, type TurnLab, type TurnLabOptions } from './turn-lab.ts';

/** A lab whose agents work in swarms. */
export interface SwarmLab {
  lab: TurnLab;
  model: PlannedModel;
  dependencies: SwarmDependencies;
  createAgent: (options?: AgentOptions) => Promise<Agent>;
  /** Submits a message; returns the turn. */
  say: (message: NewMessage) => Promise<string>;
  /** Starts a swarm, the way the API does. */
  start: (input: unknown, more?: Pick<SwarmWorkflowInput, 'turnsPerRun'>) => Promise<SwarmDetails>;
  read: (swarmId: string) => Promise<SwarmDetails>;
  /** Waits until the swarm has ended and its workflow too. */
  waitForEnd: (swarmId: string) => Promise<SwarmDetails>;
  waitFor: (swarmId: string, accept: (swarm: SwarmDetails) => boolean) => Promise<SwarmDetails>;
  close: () => Promise<void>;
}

/** A message to an agent, in a new conversation unless it names one. */
interface NewMessage {
  agentId: string;
  conversationId?: string;
  message: string;
}

interface AgentOptions {
  name?: string;
  /** The core functions among its tools. */
  functions?: string[];
  tools?: ToolInput[];
  execution?: Agent['execution'];
  limits?: Agent['limits'];
}

interface SwarmLabOptions extends Pick<
  TurnLabOptions,
  'worker' | 'mcpServers' | 'temporalAddress' | 'environment'
> {
  /** How long the model takes for an answer. @default 0 */
  delayMs?: number;
  /** Answers a request in place of `Result of <subtask>.` */
  answer?: (body: ChatRequestBody) => ScriptEntry | undefined;
}

/** The id of the subtask that a request to the model is about; undefined for one of a leader. */
export function findSubtaskId({ messages }: ChatRequestBody): string | undefined {
  const text = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return /^Your subtask is "([^"]+)":$/m.exec(text)?.[1];
}

/** The answers of tool calls since the last message of the user: none when the model is asked for its first step. */
export function listToolAnswers({ messages }: ChatRequestBody): string[] {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(start).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
}

/** A line of a message, or of the description of a subtask, that has the model call a function. */
export function toCallLine(name: string, input: object): string {
  return `Call ${name} ${JSON.stringify(input)}`;
}

/** The next call that the last message of the user asks for, one line after the other. */
function findNextCall({ messages }: ChatRequestBody): ScriptEntry | undefined {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const lines = [...(messages[start]?.content ?? '').matchAll(/^Call (\S+) (.*)$/gm)];
  const [, name, input] =
    lines[messages.slice(start).filter(({ role }) => role === 'assistant').length] ?? [];
  if (name === undefined || input === undefined) return undefined;
  return { toolCalls: [{ name, arguments: input }] };
}

/** Starts a lab whose model answers subtasks with `Result of <id>.` and leaders with `The swarm is done.` */
export async function startSwarmLab(options: SwarmLabOptions = {}): Promise<SwarmLab> {
  const { delayMs = 0, answer = () => undefined, ...labOptions } = options;
  const toAnswer = (body: ChatRequestBody): ScriptEntry => {
    const id = findSubtaskId(body);
    return { text: id === undefined ? 'The swarm is done.' : `Result of ${id}.`, delayMs };
  };
  const model = await startPlannedModel({
    intercept: (body) => answer(body) ?? findNextCall(body) ?? toAnswer(body),
  });
  const lab = await startTurnLab({
    ...labOptions,
    environment: { ...labOptions.environment, HOLDFAST_COMPATIBLE_BASE_URL: model.baseUrl },
  });
  const { workspaceId, turns, notifier } = lab;
  const { startSwarm } = createSwarmEngine(lab);
  const { database, cancelTurn, logger } = turns;
  const dependencies = { database, cancelTurn, logger, notifier, startSwarm };
  const read = (swarmId: string) => readSwarm(dependencies, { workspaceId, swarmId });
  const waitFor: SwarmLab['waitFor'] = (swarmId, accept) => eventually(() => read(swarmId), accept);
  return {
    ...{ lab, model, dependencies, read, waitFor },
    createAgent: (agent) => createAgent(lab, agent),
    say: (message) => say(lab, message),
    start: async (input, more) => {
      const order = { swarmId: newId(), input: toInput(input), startedBy: null };
      const startAs = (place: SwarmRef) => startWith(lab, { ...place, ...more });
      const starting = more ? { ...dependencies, startSwarm: startAs } : dependencies;
      return (await createSwarm(starting, lab, order)).swarm;
    },
    waitForEnd: async (swarmId) => {
      const ended = await waitFor(swarmId, ({ status }) => hasEnded(status));
      await lab.client.workflow.getHandle(`swarm-${swarmId}`).result();
      return ended;
    },
    close: async () => {
      await lab.close();
      await model.close();
    },
  };
}

async function startWith({ client, taskQueue }: TurnLab, input: SwarmWorkflowInput): Promise<void> {
  await client.workflow.start('swarm', { taskQueue, workflowId: toSwarmWorkflowId(input), args: [input] });
}

function toInput(input: unknown): SwarmInput {
  return swarmInputSchema.parse(input);
}

const registry = createFunctionRegistry();

function toCoreTool(name: string): ToolInput {
  const { description = '', schema = {} } = registry.describe(name) ?? {};
  return { type: 'function', name, description, schema, config: {} };
}

function createAgent(
  lab: TurnLab,
  { name = 'Worker', functions = [], tools = [], execution = 'direct', limits = {} }: AgentOptions = {},
): Promise<Agent> {
  return lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createAgentRepository(trx).createAgent({
      ...{ name, execution, limits },
      tools: [...tools, ...functions.map(toCoreTool)],
      model: 'compatible/planned',
      instructions: 'Do your part.',
    }),
  );
}

async function say(
  { database, turns, workspaceId }: TurnLab,
  { agentId, conversationId, message }: NewMessage,
): Promise<string> {
  const turnId = newId();
  const { id } =
    conversationId === undefined
      ? await database.inWorkspace(workspaceId, (trx) =>
          createConversationRepository(trx).createConversation({ agentId }),
        )
      : { id: conversationId };
  const input = { message, onBusy: 'reject' as const };
  await submitTurn(turns, { workspaceId }, { conversationId: id, turnId, input });
  return turnId;
}

/** The ids of subtasks in the order in which they have begun, and whether each began after those it depends on. */
export function checkOrder(subtasks: readonly Subtask[]): string[] {
  const byId = new Map(subtasks.map((each) => [each.id, each]));
  return subtasks.flatMap(({ id, depends_on: needed, started_at: startedAt }) =>
    needed
      .filter((before) => (byId.get(before)?.ended_at ?? '9') > (startedAt ?? ''))
      .map((before) => `${id} began before ${before} had ended`),
  );
}
