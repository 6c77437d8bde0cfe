import type { CreateReplayData, HoldfastClient } from '../../../clients/client/index.ts';
import { openDirectory } from '../../../clients/code/directory.ts';
import { toCandidateAgent } from '../../../clients/code/to-candidate-agent.ts';
import { findAgent } from '../../../clients/cli/find-agent.ts';
import { invalid, parseNumber, readJson, readText } from '../../../clients/cli/option-values.ts';
import { parseMargins } from './margins.ts';

/** The options of a replay that are no fields of it, as they are typed. */
export type ReplayOptions = Partial<
  Record<'agent' | 'from' | 'to' | 'tool' | 'tag' | 'sample' | 'seed', string> &
    // The number of a version of the agent, or the id of any version; a file with an agent.
    Record<'candidateVersion' | 'code' | 'model' | 'modelConnection', string> &
    // Files.
    Record<'instructions' | 'tools' | 'rules' | 'stubs' | 'prices' | 'rubric' | 'labels', string> &
    Record<'temperature' | 'maxOutputTokens' | 'passAnswer' | 'maxCost' | 'maxTokens', string> &
    Record<'judge' | 'judgeConnection', string> &
    Record<'conversations' | 'turns' | 'outcomes' | 'live' | 'passTrajectories' | 'margins', string[]>
>;

type Body = CreateReplayData['body'];

/**
 * Returns the request that starts the replay of these options, beside the fields that were given. The API checks what it takes.
 * @throws HoldfastError `INVALID_INPUT`; `NOT_FOUND` for an agent that is not there
 */
export async function toReplayBody(
  client: HoldfastClient,
  options: ReplayOptions,
  fields: Record<string, unknown>,
): Promise<Body> {
  const named = options.agent === undefined ? undefined : (await findAgent(client, options.agent)).id;
  const code = await readCode(client, options, named);
  // Without another selection the turns of the agent of the same name are replayed.
  const agentId = named ?? (hasSelection(options) ? undefined : code?.agentId);
  const body = {
    ...fields,
    selection: toSelection(options, agentId),
    candidate: {
      agent: code?.agent,
      agentVersionId: await findVersionId(client, options, agentId),
      model: options.model,
      modelConnectionId: toConnectionId(options.modelConnection),
      instructions: await orNone(options.instructions, readText),
      tools: await orNone(options.tools, readJson),
      rules: await orNone(options.rules, readJson),
      sampling: toSampling(options),
    },
    toolAnswers: Object.fromEntries((options.live ?? []).map((tool) => [tool, 'live'])),
    stubs: await toStubs(options, fields),
    pass: { trajectories: options.passTrajectories, answer: options.passAnswer },
    margins: parseMargins(options.margins),
    prices: await orNone(options.prices, readJson),
    judge: await toJudge(options),
    ceiling: {
      costUsd: toNumber('--max-cost', options.maxCost),
      tokens: toNumber('--max-tokens', options.maxTokens),
    },
  };
  // The API refuses names that it does not know.
  return body as Body;
}

function orNone<Value>(
  file: string | undefined,
  read: (file: string) => Promise<Value>,
): Promise<Value> | undefined {
  return file === undefined ? undefined : read(file);
}

function toNumber(flag: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseNumber(text, flag);
}

/** The id of a connection with the key of a model; null for the operator's key. */
function toConnectionId(text: string | undefined): string | null | undefined {
  return text === 'operator' ? null : text;
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
    temperature: toNumber('--temperature', temperature),
    maxOutputTokens: toNumber('--max-output-tokens', maxOutputTokens),
  };
}

function toStubs({ stubs }: ReplayOptions, { onMiss }: Record<string, unknown>) {
  if (stubs !== undefined && onMiss !== 'stub') throw invalid('--stubs needs --on-miss stub');
  return orNone(stubs, readJson);
}

async function toJudge({ judge, judgeConnection, rubric, labels }: ReplayOptions) {
  if (judge === undefined) {
    const alone = Object.entries({ rubric, labels, 'judge-connection': judgeConnection });
    for (const [name, value] of alone) if (value !== undefined) throw invalid(`--${name} needs --judge`);
    return undefined;
  }
  if (rubric === undefined) throw invalid('--judge needs --rubric');
  return {
    model: judge,
    modelConnectionId: toConnectionId(judgeConnection),
    rubric: await readText(rubric),
    labels: await orNone(labels, readJson),
  };
}

function toSelection(options: ReplayOptions, agentId: string | undefined) {
  const { conversations, turns, outcomes, sample, seed } = options;
  if (seed !== undefined && sample === undefined) throw invalid('--seed needs --sample');
  return {
    agentId,
    conversationIds: conversations,
    turnIds: turns,
    outcomes,
    tool: options.tool,
    tag: options.tag,
    from: toTime(options.from),
    to: toTime(options.to),
    sample:
      sample === undefined
        ? undefined
        : { size: toNumber('--sample', sample), seed: toNumber('--seed', seed) },
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
