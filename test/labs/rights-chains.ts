import type { Rights } from '../../src/domain/actor.ts';
import { scopes, type Scope } from '../../src/domain/scope.ts';
import { openConversation } from './api-lab.ts';
import { createRandom } from './random.ts';
import {
  groups,
  makeFirstKey,
  makePerson,
  makers,
  pickOf,
  type Chain,
  type Link,
  type LinkKind,
} from './rights-links.ts';
import { startPeopleApi } from './signed-people.ts';

/** The maximum number of links of a chain, one below the other. */
const mostLinks = 5;

/** Counts of some chains: the links of each kind, and the changes of each kind. */
export interface ChainCounts {
  chains: number;
  links: Record<string, number>;
  changes: Record<string, number>;
}

/**
 * Makes random chains of rights over real HTTP, so many at once. Of each chain one link is changed; before and after that all
 * links are checked against what the test knows of them.
 * @throws Error with the seed of the first chain of which a link may do more or less than it should
 */
export async function runChains({
  count,
  seed,
  atOnce = 10,
}: {
  count: number;
  seed: number;
  atOnce?: number;
}) {
  const scene = await startPeopleApi({
    HOLDFAST_API_KEYS_PER_WORKSPACE: '100000',
    HOLDFAST_STREAMS_PER_WORKSPACE: '100000',
  });
  const counts: ChainCounts = { chains: 0, links: {}, changes: {} };
  const add = (to: Record<string, number>, name: string) => (to[name] = (to[name] ?? 0) + 1);
  try {
    const { api } = scene;
    const key = await api.createKey(api.workspaceId, [...scopes], { groups: [...groups] });
    const place = { ...(await openConversation(api)), api: { ...api, key } };
    const seeds = Array.from({ length: count }, (_, index) => seed * 100_000 + index);
    const work = async () => {
      for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
        const { links, change } = await runChain({ ...scene, ...place }, next);
        counts.chains += 1;
        for (const { kind } of links) add(counts.links, kind);
        add(counts.changes, change);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return counts;
  } finally {
    await scene.stop();
  }
}

type Place = Omit<Chain, 'random' | 'name' | 'links' | 'flickered'>;

async function runChain(place: Place, seed: number): Promise<{ links: Link[]; change: string }> {
  const chain: Chain = {
    ...place,
    random: createRandom(seed),
    name: `p${seed}`,
    links: [],
    flickered: false,
  };
  const { links } = chain;
  let change = 'nothing';
  try {
    await makeLinks(chain, 2 + chain.random(mostLinks - 1));
    for (const link of links) await link.check(toNow(link));
    const changed = pickOf(
      chain,
      links.filter((link) => Object.keys(link.changes).length > 0),
    );
    const name = pickOf(chain, Object.keys(changed.changes));
    change = `${changed.kind} ${name}`;
    await changed.changes[name]?.();
    for (const link of links) await link.check(toNow(link));
    return { links, change };
  } catch (error) {
    const kinds = links.map(({ kind }) => kind).join(', ');
    throw new Error(`the chain of seed ${seed} (${kinds}), after ${change}`, { cause: error });
  }
}

/** Makes so many links, each by the one before, and besides what some of them make that makes nothing. */
async function makeLinks(chain: Chain, length: number): Promise<void> {
  const { links, random } = chain;
  let last = random(3) === 0 ? await makeFirstKey(chain) : await makePerson(chain);
  links.push(last);
  for (let count = 1; count < length; count += 1) {
    const now = toNow(last);
    const kinds = now ? listKinds(last, now) : [];
    const leaves = kinds.filter(isLeaf);
    const next = kinds.filter((kind) => !isLeaf(kind) || count === length - 1);
    for (const some of random(2) === 0 ? [leaves, next] : [next]) {
      if (!now || some.length === 0) continue;
      const made = await makers[pickOf(chain, some)](chain, last, now);
      links.push(made);
    }
    last = links.at(-1) ?? last;
    if (isLeaf(last.kind)) return;
  }
}

function isLeaf(kind: LinkKind): boolean {
  return kind === 'stream' || kind === 'schedule' || kind === 'replay';
}

/** Lists the kinds of links that a link can make. */
function listKinds(link: Link, { scopes: held }: Rights): (keyof typeof makers)[] {
  const credential = link.kind === 'session' ? link.above : link;
  const needs: Record<keyof typeof makers, Scope[] | null> = {
    key: ['api_keys:write'],
    user_token: credential?.kind === 'user_token' ? null : ['user_tokens:write'],
    session: link.kind === 'session' || held.length === 0 ? null : [],
    stream: held.length === 0 ? null : [],
    schedule: ['conversations:write'],
    replay: ['replays:write', 'conversations:read'],
  };
  const kinds = Object.keys(needs) as (keyof typeof makers)[];
  return kinds.filter((kind) => needs[kind]?.every((scope) => held.includes(scope)) ?? false);
}

/**
 * Returns the rights of a link now: the least of those that it was given and of those that all links above have now. A session counts for its own requests
 * and streams alone; what was made with it was made by its credential.
 */
function toNow({ kind, isOver, given, above }: Link): Rights | null {
  if (isOver) return null;
  const isOfSession = kind === 'stream' || kind === 'session';
  const maker = above?.kind === 'session' && !isOfSession ? above.above : above;
  if (maker === null) return given;
  const most = toNow(maker);
  return most && toLesser(given, most);
}

function toLesser(one: Rights, other: Rights): Rights {
  return {
    scopes: one.scopes.filter((scope) => other.scopes.includes(scope)),
    groups: one.groups.filter((group) => other.groups.includes(group)),
    actsFor: one.actsFor ?? other.actsFor,
    reach: one.reach === 'own' || other.reach === 'own' ? 'own' : 'workspace',
  };
}
