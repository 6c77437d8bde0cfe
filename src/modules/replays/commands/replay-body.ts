import type { CreateReplayData, HoldfastClient } from '../../../clients/client/index.ts';
import { openDirectory } from '../../../clients/code/directory.ts';
import { toCandidateAgent } from '../../../clients/code/to-candidate-agent.ts';
import { findAgent } from '../../../clients/cli/find-agent.ts';
import { toJudge, type JudgeOptions } from './judge-options.ts';
import { parseMargins, type MarginOptions } from './margins.ts';
import { invalid, readJson, readText, toConnectionId, toNumber } from './option-values.ts';

/** The options of a replay, as they are typed. */
export interface ReplayOptions extends JudgeOptions, MarginOptions {
  name?: string;
  agent?: string;
  conversations?: string[];
  turns?: string[];
  from?: string;
  to?: string;
  outcomes?: string[];
  tool?: string;
  tag?: string;
  sample?: string;
  seed?: string;
  /** The number of a version of the agent, or the id of any version. */
  candidateVersion?: string;
  /** A file with an agent. */
  code?: string;
  model?: string;
  modelConnection?: string;
  /** Files. */
  instructions?: string;
  tools?: string;
  rules?: string;
  temperature?: string;
  maxOutputTokens?: string;
  mode?: string;
  baseline: boolean;
  repeats?: string;
  onMiss?: string;
  live?: string[];
  /** Files. */
  stubs?: string;
  prices?: string;
  passTrajectories?: string[];
  passAnswer?: string;
  modelCallsPerMinute?: string;
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
  const named = options.agent === undefined ? undefined : (await findAgent(client, options.agent)).id;
  const code = await readCode(client, options, named);
  // Without another selection the turns of the agent of the same name are replayed.
  const agentId = named ?? (hasSelection(options) ? undefined : code?.agentId);
  const body = {
    name: options.name,
    selection: toSelection(options, agentId),
    candidate: {
      agent: code?.agent,
      agentVersionId: await findVersionId(client, options, agentId),
      model: options.model,
      modelConnectionId: toConnectionId(options.modelConnection),
      instructions: readText(options.instructions),
      tools: readJson(options.tools),
      rules: readJson(options.rules),
      sampling: toSampling(options),
    },
    mode: options.mode,
    ...toAnswers(options),
    baseline: options.baseline,
    repeats: toNumber('repeats', options.repeats),
    concurrency: toNumber('concurrency', options.concurrency),
    pass: { trajectories: options.passTrajectories, answer: options.passAnswer },
    margins: parseMargins(options.margins),
    modelCallsPerMinute: toNumber('model-calls-per-minute', options.modelCallsPerMinute),
    prices: readJson(options.prices),
    judge: toJudge(options),
    ceiling: {
      costUsd: toNumber('max-cost', options.maxCost),
      tokens: toNumber('max-tokens', options.maxTokens),
    },
  };
  // The API refuses names that it does not know.
  return body as Body;
}

async function readCode(client: HoldfastClient, { code }: ReplayOptions, agentId: string | undefined) {
  if (code === undefined) return undefined;
  return await toCandidateAgent({ file: code, agentId, directory: await openDirectory(client) });
}

function hasSelection({ conversations, turns, tag }: ReplayOptions): boolean {
  return conversations !== undefined || turns !== undefined || tag !== undefined;
}

function toSampling({ temperature, maxOutputTokens }: ReplayOptions) {
  if (temperature === undefined && maxOutputTokens === undefined) return undefined;
  return {
    temperature: toNumber('temperature', temperature),
    maxOutputTokens: toNumber('max-output-tokens', maxOutputTokens),
  };
}

function toAnswers({ live = [], onMiss, stubs }: ReplayOptions) {
  if (stubs !== undefined && onMiss !== 'stub') throw invalid('--stubs needs --on-miss stub');
  const toolAnswers = Object.fromEntries(live.map((tool) => [tool, 'live']));
  return { toolAnswers, onMiss, stubs: readJson(stubs) };
}

function toSelection(options: ReplayOptions, agentId: string | undefined) {
  const { conversations, turns, outcomes, sample, seed } = options;
  if (seed !== undefined && sample === undefined) throw invalid('--seed needs --sample');
  return {
    agentId,
    ...{
      conversationIds: conversations,
      turnIds: turns,
      outcomes,
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
