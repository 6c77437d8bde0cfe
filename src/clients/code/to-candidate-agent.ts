import path from 'node:path';
import type { CreateReplayData } from '../client/index.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { FunctionListing } from '../../domain/function.ts';
import { toNewAgent } from './apply-push.ts';
import { completeAgent } from './complete-agent.ts';
import type { AgentDefinition } from './define-agent.ts';
import type { Directory } from './directory.ts';
import { loadAgentFile } from './load-agents.ts';
import { findWrongReferences } from './references.ts';
import { toPortable } from './to-portable.ts';

type CandidateAgent = NonNullable<NonNullable<CreateReplayData['body']['candidate']>['agent']>;

/** An agent of the code as the candidate of a replay. */
export interface CodeCandidate {
  agent: CandidateAgent;
  /** The agent of the workspace that is compared with it. */
  agentId: string;
}

interface WantedCandidate {
  file: string;
  /** The id of the agent in the workspace. @default the one of the same name */
  agentId: string | undefined;
  directory: Directory;
}

/**
 * Reads the agent of a file as the candidate of a replay. Nothing is pushed. Functions that the code has itself keep its
 * descriptions and arguments, also when the server does not have them.
 * @throws HoldfastError `INVALID_INPUT` with everything that is wrong
 */
export async function toCandidateAgent({
  file,
  agentId,
  directory,
}: WantedCandidate): Promise<CodeCandidate> {
  const loaded = await loadAgentFile(path.resolve(file));
  const stored = findStored(loaded, { file, agentId, directory });
  const definition = loaded.find(({ name }) => name === stored.name) ?? loaded[0];
  if (!definition || (loaded.length > 1 && definition.name !== stored.name))
    throw invalid(`${file}: expected an agent "${stored.name}", found ${listNames(loaded)}.`);
  const known = withFunctions(directory, definition);
  const { wanted, problems } = await completeAgent(definition, await toPortable(stored, known), known);
  const references = { directory: known, agents: known.agents };
  const all = [...problems, ...(await findWrongReferences(wanted, references))];
  if (all.length > 0)
    throw invalid(all.map((one) => `${file}: the agent "${wanted.name}": ${one}`).join('\n'));
  const input = await toNewAgent(wanted, references, []);
  const fields = Object.entries(input).filter(([field]) => field !== 'name' && field !== 'execution');
  return { agent: Object.fromEntries(fields) as unknown as CandidateAgent, agentId: stored.id };
}

function findStored(loaded: AgentDefinition[], { file, agentId, directory }: WantedCandidate) {
  const named = directory.agents.filter(({ id, name }) =>
    agentId === undefined ? loaded.some((one) => one.name === name) : id === agentId,
  );
  const [stored] = named;
  if (stored && named.length === 1) return stored;
  const found = named.length === 0 ? 'none' : `${named.length} agents`;
  throw invalid(
    `${file}: expected one agent of the workspace with the name ${listNames(loaded)}, found ${found}. Name the agent whose turns are replayed with --agent.`,
  );
}

function listNames(loaded: AgentDefinition[]): string {
  return loaded.map(({ name }) => JSON.stringify(name)).join(', ') || 'no agent';
}

/** The functions of the code stand before those of the server: the candidate is what the branch has. */
function withFunctions(directory: Directory, { tools }: AgentDefinition): Directory {
  const own = tools.flatMap(({ definition }): FunctionListing[] => {
    if (!definition) return [];
    const { name, description, schema, effect } = definition;
    return [{ name, description, schema, effect, origin: 'own' }];
  });
  return { ...directory, functions: async () => [...own, ...(await directory.functions())] };
}

function invalid(message: string): HoldfastError {
  return new HoldfastError('INVALID_INPUT', message);
}
