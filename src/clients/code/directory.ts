import type { Agent, HoldfastClient, Page, PageRequest, WorkflowType } from '../client/index.ts';
import type { DiscoveredTool } from '../../domain/discovered-tool.ts';
import type { FunctionListing } from '../../domain/function.ts';
import type { PortableSkill } from './portable.ts';
import { isUuid } from '../../domain/uuid.ts';

/** Something that code names by its name. */
export interface Named {
  id: string;
  name: string;
  /** Of a connection. */
  provider?: string;
}

/** The things of a workspace that code names. Each list is read when it is first asked for. */
export interface Directory {
  /** All agents, newest first. */
  agents: Agent[];
  connections: () => Promise<Named[]>;
  knowledgeBases: () => Promise<Named[]>;
  functions: () => Promise<FunctionListing[]>;
  workflowTypes: () => Promise<WorkflowType[]>;
  /** The tools that a connection offers; rejects when it cannot be asked. */
  offers: (connectionId: string) => Promise<DiscoveredTool[]>;
  /** A version of a skill that an agent uses. */
  skill: (pin: Agent['skills'][number]) => Promise<PortableSkill>;
}

/** Reads the agents of a workspace, and on demand what else it has. */
export async function openDirectory(client: HoldfastClient): Promise<Directory> {
  const offers = new Map<string, Promise<DiscoveredTool[]>>();
  return {
    agents: await readPages((page) => client.agents.list(page)),
    connections: once(() => readPages((page) => client.connections.list(page))),
    knowledgeBases: once(() => readPages((page) => client.knowledgeBases.list(page))),
    functions: once(async () => await client.functions.list()),
    workflowTypes: once(async () => await client.workflowTypes.list()),
    offers: (id) => {
      const asked = offers.get(id) ?? client.connections.tools(id).then(({ tools }) => tools);
      offers.set(id, asked);
      return asked;
    },
    skill: async ({ skillId, version, name }) => {
      const { files } = await client.skills.versions.get(skillId, version);
      const read = async (path: string) => {
        const { text, base64 } = await client.skills.versions.file(skillId, version, { path });
        return text === null ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
      };
      return { name, files: files.map(({ path, digest }) => ({ path, digest, read: () => read(path) })) };
    },
  };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}

async function readPages<Item>(read: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ cursor, limit: 100 });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Returns the name of one of several things; its id when it has gone, or shares its name with another one. */
export function toName(all: Named[], id: string): string {
  const name = all.find((one) => one.id === id)?.name;
  return name !== undefined && all.filter((one) => one.name === name).length === 1 ? name : id;
}

/** Finds the one of that name, or else of that id; or the sentence that says why there is none. */
export function findNamed(kind: string, all: Named[], wanted: string): Named | { problem: string } {
  const named = all.filter(({ name }) => name === wanted);
  const [found] = named;
  if (found && named.length === 1) return found;
  if (found) {
    const ids = named.map(({ id }) => id).join(', ');
    return {
      problem: `${named.length} ${kind}s are named "${wanted}". Rename one, or name one by its id: ${ids}.`,
    };
  }
  const known = all.find(({ id }) => id === wanted);
  if (known) return known;
  // A tool that leads to something that was deleted keeps its id, which is all that is known of it.
  if (isUuid(wanted)) return { id: wanted, name: wanted };
  const names = [...new Set(all.map(({ name }) => JSON.stringify(name)))].sort().join(', ');
  return {
    problem: `there is no ${kind} "${wanted}". ${names === '' ? 'The workspace has none.' : `There are: ${names}.`}`,
  };
}
