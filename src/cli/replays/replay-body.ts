import { readFileSync } from 'node:fs';
import { HoldfastApiError, type CreateReplayData, type HoldfastClient } from '../../client/index.ts';
import { findAgent } from '../find-agent.ts';

/** The options of a replay, as they are typed. */
export interface ReplayOptions {
  name?: string;
  agent?: string;
  conversation?: string[];
  turn?: string[];
  from?: string;
  to?: string;
  outcome?: string[];
  tool?: string;
  tag?: string;
  sample?: string;
  seed?: string;
  /** The number of a version of the agent, or the id of any version. */
  candidateVersion?: string;
  model?: string;
  /** Files. */
  instructions?: string;
  tools?: string;
  rules?: string;
  temperature?: string;
  mode?: string;
  baseline: boolean;
  repeats?: string;
  onMiss?: string;
  live?: string[];
  maxCost?: string;
  maxTokens?: string;
  concurrency?: string;
}

type Body = CreateReplayData['body'];

/**
 * Returns the request that starts the replay of these options. The API checks what it takes.
 * @throws HoldfastApiError `INVALID_INPUT`; `HoldfastError` `NOT_FOUND` for an agent that is not there
 */
export async function toReplayBody(client: HoldfastClient, options: ReplayOptions): Promise<Body> {
  const agentId = options.agent === undefined ? undefined : (await findAgent(client, options.agent)).id;
  const body = {
    name: options.name,
    selection: toSelection(options, agentId),
    candidate: {
      agentVersionId: await findVersionId(client, options, agentId),
      model: options.model,
      instructions: options.instructions === undefined ? undefined : readText(options.instructions),
      tools: options.tools === undefined ? undefined : readJson(options.tools),
      rules: options.rules === undefined ? undefined : readJson(options.rules),
      sampling:
        options.temperature === undefined
          ? undefined
          : { temperature: toNumber('temperature', options.temperature) },
    },
    mode: options.mode,
    onMiss: options.onMiss,
    baseline: options.baseline,
    repeats: toNumber('repeats', options.repeats),
    concurrency: toNumber('concurrency', options.concurrency),
    toolAnswers: Object.fromEntries((options.live ?? []).map((tool) => [tool, 'live'])),
    ceiling: {
      costUsd: toNumber('max-cost', options.maxCost),
      tokens: toNumber('max-tokens', options.maxTokens),
    },
  };
  // The API refuses names that it does not know.
  return body as Body;
}

function toSelection(options: ReplayOptions, agentId: string | undefined) {
  const { conversation, turn, outcome, sample, seed } = options;
  if (seed !== undefined && sample === undefined) throw invalid('--seed needs --sample');
  return {
    agentId,
    ...{
      conversationIds: conversation,
      turnIds: turn,
      outcomes: outcome,
      tool: options.tool,
      tag: options.tag,
    },
    ...{ from: toTime(options.from), to: toTime(options.to) },
    sample:
      sample === undefined ? undefined : { size: toNumber('sample', sample), seed: toNumber('seed', seed) },
  };
}

/** A day becomes its first moment in UTC. */
function toTime(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}

async function findVersionId(
  client: HoldfastClient,
  { candidateVersion }: ReplayOptions,
  agentId: string | undefined,
): Promise<string | undefined> {
  if (candidateVersion === undefined || !/^\d{1,9}$/.test(candidateVersion)) return candidateVersion;
  if (agentId === undefined) throw invalid('--candidate-version with a number needs --agent');
  return (await client.agents.versions.get(agentId, Number(candidateVersion))).id;
}

function toNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw invalid(`--${name} takes a number; found ${JSON.stringify(text)}`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(`${file}: expected JSON, found something else: ${error.message}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function invalid(message: string): HoldfastApiError {
  return new HoldfastApiError('INVALID_INPUT', message);
}
