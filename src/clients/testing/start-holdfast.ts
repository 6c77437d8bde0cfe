import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHoldfastClient, type HoldfastClient } from '../client/index.ts';
import { applyPush } from '../code/apply-push.ts';
import type { AgentDefinition } from '../code/define-agent.ts';
import { openDirectory } from '../code/directory.ts';
import { planPush } from '../code/plan-push.ts';
import { findUnknownFields } from '../../domain/unknown-field.ts';
import { createAsk, type Ask } from './ask-agent.ts';
import { startDevelopmentProcess } from './development-process.ts';
import { makeKey, type Somebody } from './make-key.ts';
import {
  checkSteps,
  refuseFields,
  startScriptedModel,
  type ModelRequest,
  type ScriptStep,
} from './scripted-model.ts';
import { createScripts, type Scripts } from './scripts.ts';

/** The model of every agent in a test. */
const model = 'compatible/scripted';
const project = 'test';

/** In US dollars for a million tokens. A budget would refuse a model without a price. */
const scriptedPrice = { input: 1, output: 1 };

/** The parts of a test. */
export interface StartOptions {
  /** The agents of the test. Their models are replaced by the scripted one. */
  agents: readonly AgentDefinition[];
  /** Environment variables of the API and the worker, such as `HOLDFAST_SECRET_…` and `HOLDFAST_FUNCTIONS`. */
  variables?: Record<string, string>;
  /** Creates what the agents name, such as connections, before they are pushed. */
  prepare?: (client: HoldfastClient) => Promise<unknown>;
}

/** A separate Holdfast for the tests of a file. */
export interface TestHoldfast {
  client: HoldfastClient;
  /** The address of the API. */
  url: string;
  apiKey: string;
  /**
   * Makes a client with its own key, for a caller that decides about approvals or asks.
   * @throws Error for a scope or a group that does not exist, or may not be named so
   */
  as: (somebody: Somebody) => Promise<HoldfastClient>;
  /**
   * Sets the answers of the model to the next `ask`. Each call of the model takes the next one, whichever agent makes it; a
   * call without one fails its turn. Answers that were set before and that no `ask` has taken are replaced.
   */
  script: (...steps: ScriptStep[]) => void;
  /** What the model was asked so far, oldest first. */
  requests: readonly ModelRequest[];
  /** Sends a message to an agent, in a new conversation unless one is named, and returns the turn when it has ended. */
  ask: Ask;
  /** All that the API and the worker have printed. */
  log: () => string;
  /**
   * Aborts what waits, stops everything and deletes its data.
   * @throws Error when steps of scripts were not used
   */
  stop: () => Promise<void>;
}

/**
 * Starts all of Holdfast for the tests of a file, with its own database and a model that answers from a script, so
 * that no account is needed. The functions are those of the folder `functions`.
 */
export async function startHoldfast(options: StartOptions): Promise<TestHoldfast> {
  refuseFields('startHoldfast', findUnknownFields(options, ['agents', 'variables', 'prepare']));
  const releases: (() => unknown)[] = [];
  const release = async () => {
    for (const one of releases.splice(0).toReversed()) await one();
  };
  const scripts = createScripts();
  const stopping = new AbortController();
  const { signal } = stopping;
  try {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-'));
    releases.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
    const scripted = await startScriptedModel((key) => scripts.next(key, client));
    releases.push(scripted.close);
    const { origin, apiKey, log, administer, stop } = await startDevelopmentProcess(dataDir, {
      ...options.variables,
      HOLDFAST_COMPATIBLE_BASE_URL: scripted.baseUrl,
    });
    releases.push(stop);
    const toClient = (key: string) => createHoldfastClient({ baseUrl: origin, apiKey: key, signal });
    const client = toClient(apiKey);
    await client.prices.set({ prices: { [model]: scriptedPrice } });
    await options.prepare?.(client);
    const { ask, release: releaseAsks } = withRelease(
      createAsk({ client, scripts, ids: await pushAgents(client, options.agents) }),
    );
    releases.push(() => {
      releaseAsks();
      stopping.abort(new Error('Holdfast was stopped.'));
    });
    return {
      ...{ client, url: origin, apiKey, requests: scripted.requests, ask, log },
      as: async (somebody) => toClient(await makeKey(somebody, { client, administer }, signal)),
      script: (...steps) => {
        checkSteps(steps);
        scripts.set(steps);
      },
      stop: async () => {
        const unused = releases.length > 0 ? scripts.listUnused() : [];
        await release();
        refuseUnused(unused);
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** No code awaits a question that a failed test has left: `release` ignores its rejection. */
function withRelease(askAgent: Ask): { ask: Ask; release: () => void } {
  const asked: Promise<unknown>[] = [];
  const ask: Ask = (...question) => {
    const answer = askAgent(...question);
    asked.push(answer);
    return answer;
  };
  const release = () => {
    for (const answer of asked) answer.catch(() => undefined);
  };
  return { ask, release };
}

/** @throws Error that names the questions whose steps were not used */
function refuseUnused(unused: ReturnType<Scripts['listUnused']>): void {
  if (unused.length === 0) return;
  const count = unused.reduce((sum, { steps }) => sum + steps.length, 0);
  const lines = unused.map(({ steps, message }) => {
    return `\n  ${steps.length} for ${message === null ? 'no question' : JSON.stringify(message)}`;
  });
  throw new Error(`The model was not asked for the last ${count} answers of its script.${lines.join('')}`);
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
    skills: [],
  }));
  const plan = await planPush({ loaded, directory, project, prune: false });
  const ids = new Map<string, string>();
  const onDone = ({ name }: { name: string }, agent: { id: string } | null) => {
    if (agent) ids.set(name, agent.id);
  };
  await applyPush(plan, { client, directory, project, onDone });
  return ids;
}
