import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createHoldfastClient,
  type HoldfastClient,
  type JsonObject,
  type TurnDetails,
} from '../client/index.ts';
import { applyPush } from '../code/apply-push.ts';
import type { AgentDefinition } from '../code/define-agent.ts';
import { openDirectory } from '../code/directory.ts';
import { planPush } from '../code/plan-push.ts';
import { findUnknownFields } from '../domain/unknown-field.ts';
import { startDevelopmentProcess } from './development-process.ts';
import { refuseFields, startScriptedModel, type ModelRequest, type ScriptStep } from './scripted-model.ts';

/** The model of every agent in a test. */
const model = 'compatible/scripted';
const project = 'test';

/** The parts of a test. */
export interface StartOptions {
  /** The agents of the test. Their models are replaced by the scripted one. */
  agents: readonly AgentDefinition[];
  /** Environment variables of the API and the worker, such as `HOLDFAST_SECRET_…` and `HOLDFAST_FUNCTIONS`. */
  variables?: Record<string, string>;
  /** Creates what the agents name, such as connections, before they are pushed. */
  prepare?: (client: HoldfastClient) => Promise<unknown>;
}

/** Options of one question. */
interface AskOptions {
  /** @default a new conversation */
  conversationId?: string;
  /** The JSON Schema that the answer satisfies. */
  responseSchema?: JsonObject;
}

/** A Holdfast of its own for the tests of a file. */
export interface TestHoldfast {
  client: HoldfastClient;
  /** The address of the API. */
  url: string;
  apiKey: string;
  /**
   * Adds answers to the script of the model. Each call of the model takes the next one, whichever agent makes it; a call
   * without one fails its turn.
   */
  script: (...steps: ScriptStep[]) => void;
  /** What the model was asked so far, oldest first. */
  requests: readonly ModelRequest[];
  /** Sends a message to an agent, in a new conversation unless one is named, and returns the turn when it has ended. */
  ask: (agent: AgentDefinition | string, message: string, options?: AskOptions) => Promise<TurnDetails>;
  /** All that the API and the worker have printed. */
  log: () => string;
  /**
   * Stops everything and deletes its data.
   * @throws Error when steps of the script were not used
   */
  stop: () => Promise<void>;
}

/**
 * Starts all of Holdfast for the tests of a file, with a database of its own and a model that answers from a script, so
 * that no account is needed. The functions are those of the folder `functions`.
 */
export async function startHoldfast(options: StartOptions): Promise<TestHoldfast> {
  refuseFields('startHoldfast', findUnknownFields(options, ['agents', 'variables', 'prepare']));
  const releases: (() => unknown)[] = [];
  const release = async () => {
    for (const one of releases.splice(0).toReversed()) await one();
  };
  try {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-'));
    releases.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
    const scripted = await startScriptedModel();
    releases.push(scripted.close);
    const { origin, apiKey, log, stop } = await startDevelopmentProcess(dataDir, {
      ...options.variables,
      HOLDFAST_COMPATIBLE_BASE_URL: scripted.baseUrl,
    });
    releases.push(stop);
    const client = createHoldfastClient({ baseUrl: origin, apiKey });
    await options.prepare?.(client);
    const ids = await pushAgents(client, options.agents);
    const { script, requests } = scripted;
    const ask: TestHoldfast['ask'] = (agent, message, more) =>
      askAgent(client, ids, { agent, message, ...more });
    const stopAll = async () => {
      const unused = releases.length > 0 ? scripted.countUnused() : 0;
      await release();
      if (unused > 0)
        throw new Error(`The model was not asked for the last ${unused} answers of its script.`);
    };
    return { client, url: origin, apiKey, script, requests, ask, log, stop: stopAll };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Returns the ids of the agents by their names. */
async function pushAgents(
  client: HoldfastClient,
  agents: readonly AgentDefinition[],
): Promise<Map<string, string>> {
  const directory = await openDirectory(client);
  const loaded = agents.map((definition) => ({
    definition: { ...definition, model, modelConnection: null, fallbackModels: [] },
    source: 'the test',
  }));
  const plan = await planPush({ loaded, directory, project, prune: false });
  const ids = new Map<string, string>();
  const onDone = ({ name }: { name: string }, agent: { id: string } | null) => {
    if (agent) ids.set(name, agent.id);
  };
  await applyPush(plan, { client, directory, project, onDone });
  return ids;
}

interface Question extends AskOptions {
  agent: AgentDefinition | string;
  message: string;
}

async function askAgent(
  client: HoldfastClient,
  ids: ReadonlyMap<string, string>,
  { agent, conversationId, ...input }: Question,
): Promise<TurnDetails> {
  const name = typeof agent === 'string' ? agent : agent.name;
  const agentId = ids.get(name);
  if (agentId === undefined)
    throw new Error(`The agent "${name}" is none of those that the test was started with.`);
  const conversation = conversationId ?? (await client.conversations.create({ agentId })).id;
  const turn = await client.turns.start({ conversationId: conversation, ...input });
  return client.turns.wait(turn.id);
}
