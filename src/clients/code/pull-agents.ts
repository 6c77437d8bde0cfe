import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../client/index.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { hideCanaryTokens } from './canary-places.ts';
import { compareAgents } from './compare-agents.ts';
import { completeAgent } from './complete-agent.ts';
import type { Directory } from './directory.ts';
import type { LoadedAgent } from './load-agents.ts';
import { toSkillFolder, writeLocalSkills } from './local-skills.ts';
import { findKnown } from './find-known.ts';
import type { PortableAgent } from './portable.ts';
import { toPortable } from './to-portable.ts';
import { writeAgent } from './write-agent.ts';

/** The outcome of a pull for one agent. */
export interface PulledAgent {
  name: string;
  kind: 'written' | 'replaced' | 'same' | 'kept';
  /** The path of its file. */
  file: string;
  /** Why a file was kept that differs from the workspace, or what the file does not have. */
  note?: string;
}

interface PullRequest {
  folder: string;
  /** The agents of the code in that folder. */
  loaded: LoadedAgent[];
  directory: Directory;
  /** The agents of the workspace that are written. */
  agents: Agent[];
  /** Whether files that differ from the workspace are replaced. */
  force: boolean;
}

/** Writes a file for each agent that the code does not have as it is in the workspace. Files that mean the same stay. */
export async function pullAgents(request: PullRequest): Promise<PulledAgent[]> {
  const { agents, folder } = request;
  refuseSharedNames(agents);
  await mkdir(folder, { recursive: true });
  const pulled: PulledAgent[] = [];
  for (const agent of agents) pulled.push(await pullAgent(agent, request));
  return pulled;
}

function refuseSharedNames(agents: Agent[]): void {
  const shared = agents.filter(({ name, id }) =>
    agents.some((other) => other.name === name && other.id !== id),
  );
  if (shared.length === 0) return;
  const list = shared.map(({ name, id }) => `"${name}" (${id})`).join(', ');
  const message = `Agents are known by their names, and several agents of the workspace share one: ${list}. Rename them, or choose others with --agent.`;
  throw new HoldfastError('INVALID_INPUT', message);
}

async function pullAgent(agent: Agent, request: PullRequest): Promise<PulledAgent> {
  const { directory, loaded, folder, force } = request;
  const { name } = agent;
  const stored = await toPortable(agent, directory);
  const present = loaded.find(({ definition }) => definition.name === name);
  if (present && (await isSame(present, stored, directory)))
    return { name, kind: 'same', file: present.source };
  const note = toNote(agent);
  const file = present?.source ?? findFreeFile(folder, name);
  if (present) {
    const isShared = loaded.filter(({ source }) => source === present.source).length > 1;
    if (isShared || !force) return { name, kind: 'kept', file, note: isShared ? sharedFile : needsForce };
  }
  await writeFile(file, writeAgent(withPlaces(stored), await findKnown(stored, directory)));
  await writeLocalSkills(present?.skillFolder ?? toSkillFolder(file), stored.skills);
  return { name, kind: present ? 'replaced' : 'written', file, ...(note !== undefined && { note }) };
}

const needsForce = 'differs from the workspace; --force replaces it';
const sharedFile = 'differs from the workspace, and defines several agents: change it by hand';

async function isSame({ definition, skills }: LoadedAgent, stored: PortableAgent, directory: Directory) {
  const { wanted, problems } = await completeAgent(definition, stored, directory);
  return problems.length === 0 && compareAgents(stored, { ...wanted, skills }).fields.length === 0;
}

function withPlaces(agent: PortableAgent): PortableAgent {
  return { ...agent, instructions: hideCanaryTokens(agent.instructions, agent.rules.canaryTokens) };
}

function toNote({ connectors, rules }: Agent): string | undefined {
  const notes = [
    ...(connectors.length > 0 ? ['the tools of its connectors stay in the workspace'] : []),
    ...(rules.canaryTokens.length > 0 ? ['its canary tokens stay in the workspace'] : []),
  ];
  return notes.length === 0 ? undefined : notes.join('; ');
}

function findFreeFile(folder: string, name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .match(/[a-z0-9]+/g);
  const base = words?.join('-').slice(0, 60) ?? 'agent';
  for (let number = 1; ; number += 1) {
    const file = path.join(folder, number === 1 ? `${base}.ts` : `${base}-${number}.ts`);
    if (!existsSync(file)) return file;
  }
}
