import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldfastClient, JsonObject, PendingAction, TurnDetails } from '../client/index.ts';
import type { AgentDefinition } from '../code/define-agent.ts';
import { findUnknownFields } from '../../domain/unknown-field.ts';
import { refuseFields } from './scripted-model.ts';
import type { Scripts } from './scripts.ts';

/** Options of one question. */
export interface AskOptions {
  /** @default a new conversation */
  conversationId?: string;
  /** The JSON Schema that the answer satisfies. */
  responseSchema?: JsonObject;
  /** The client that asks, such as one that `as` has made. @default `client` */
  as?: HoldfastClient;
  /**
   * Called once with each action that the turn or a turn below it waits for, such as an approval, to decide it. The
   * question fails with the error that it throws.
   */
  onAction?: (action: PendingAction) => unknown;
}

/** Sends a message to an agent, and returns the turn when it has ended. */
export type Ask = (
  agent: AgentDefinition | string,
  message: string,
  options?: AskOptions,
) => Promise<TurnDetails>;

interface AskDependencies {
  client: HoldfastClient;
  scripts: Pick<Scripts, 'take'>;
  /** The ids of the agents by their names. */
  ids: ReadonlyMap<string, string>;
}

const pollMs = 100;

/** Makes the function that asks the agents of a test. It throws for an agent that is none of them. */
export function createAsk({ client, scripts, ids }: AskDependencies): Ask {
  return async (agent, message, options = {}) => {
    refuseFields('ask', findUnknownFields(options, ['conversationId', 'responseSchema', 'as', 'onAction']));
    const { as: asker = client, onAction, ...more } = options;
    const started = startTurn(asker, toAgentId(ids, agent), { message, ...more });
    scripts.take(message, started);
    const { id } = await started;
    return onAction ? handleActions(asker, id, onAction) : asker.turns.wait(id);
  };
}

interface Question extends Pick<AskOptions, 'conversationId' | 'responseSchema'> {
  message: string;
}

async function startTurn(
  client: HoldfastClient,
  agentId: string,
  { conversationId, ...input }: Question,
): Promise<{ id: string }> {
  const conversation = conversationId ?? (await client.conversations.create({ agentId })).id;
  return client.turns.start({ conversationId: conversation, ...input });
}

/** Asks for the turn again and again, since its stream has no events of the turns below it. */
async function handleActions(
  client: HoldfastClient,
  turnId: string,
  onAction: NonNullable<AskOptions['onAction']>,
): Promise<TurnDetails> {
  const handled = new Set<string>();
  for (;;) {
    const turn = await client.turns.get(turnId);
    if (turn.outcome !== null) return turn;
    for (const action of turn.pendingActions.filter(({ id }) => !handled.has(id))) {
      handled.add(action.id);
      await onAction(action);
    }
    await sleep(pollMs);
  }
}

function toAgentId(ids: ReadonlyMap<string, string>, agent: AgentDefinition | string): string {
  const name = typeof agent === 'string' ? agent : agent.name;
  const id = ids.get(name);
  if (id !== undefined) return id;
  throw new Error(`The agent "${name}" is none of those that the test was started with.`);
}
