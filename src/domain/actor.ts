import { z } from 'zod';
import { scopes, type Scope } from './scope.ts';

/**
 * The stored form of an actor: an API key and the person for whom it acted. Both are null for an operator or a program
 * that came through Temporal and named no person. Its present rights are those of the {@link Actor} that `loadActor` reads.
 */
export const actorRefSchema = z.object({ apiKeyId: z.string().nullable(), actingFor: z.string().nullable() });
export type ActorRef = z.infer<typeof actorRefSchema>;

/** The name of a group of approvers. */
const group = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'expected 1 to 100 letters, digits, dots, dashes or underscores');

/** The groups that an API key is in, or of which one has to approve. */
export const groupsSchema = z.array(group).max(50);

/** An actor, with the rights of now. Its workspace never comes from a request, but from the key, link or row. */
export interface Actor {
  workspaceId: string;
  /** The API key; null for operators and programs that came through Temporal. */
  apiKeyId: string | null;
  scopes: readonly Scope[];
  /** The groups of approvers that the key is in. */
  groups: readonly string[];
  /** The only person for whom it acts; null when its requests may name any person. */
  actsFor: string | null;
  /** What it sees: all of its workspace, or only what belongs to the person in `actsFor` or is shared with that person. */
  reach: 'workspace' | 'own';
  /** The only conversations that it sees and acts in. @default all that it sees by its reach */
  conversations?: readonly string[];
  /** How it came in; `stored` for the maker of stored work, such as a schedule. */
  via: 'api' | 'link' | 'slack' | 'temporal' | 'stored';
}

/** The rights of an actor, with the rows that it sees. */
export type Rights = Pick<Actor, 'scopes' | 'groups' | 'actsFor' | 'reach' | 'conversations'>;

/**
 * Returns an actor with what others have too: the common scopes, groups and conversations, the first person that one of them
 * acts for, and the least reach.
 */
export function meetOf<Holder extends Rights>(first: Holder, ...others: readonly Rights[]): Holder {
  return others.reduce<Holder>((met, { scopes: allowed, groups, actsFor, reach, conversations }) => {
    const both = conversations && met.conversations?.filter((id) => conversations.includes(id));
    const left = both ?? conversations;
    return {
      ...met,
      scopes: met.scopes.filter((scope) => allowed.includes(scope)),
      groups: met.groups.filter((group) => groups.includes(group)),
      actsFor: met.actsFor ?? actsFor,
      reach: reach === 'own' ? reach : met.reach,
      ...(left && { conversations: left }),
    };
  }, first);
}

/** The part of an actor that says which rows it sees; the program itself names a workspace, and sees all of it. */
export type Viewer = Pick<Actor, 'workspaceId'> &
  Partial<Pick<Actor, 'actsFor' | 'reach' | 'scopes' | 'conversations'>>;

/** An actor that showed an API key. */
export interface KeyActor extends Actor {
  apiKeyId: string;
  /** The session of the browser that sent the request, which its cookie has named. */
  session?: { id: string; expiresAt: string };
  /** The end of a token of an identity provider, as ISO 8601; other credentials end as their rows say. */
  expiresAt?: string;
}

/** Creates an actor without a key: it has all scopes and, since its person is not known, no groups. */
export function createKeylessActor(workspaceId: string, via: Actor['via']): Actor {
  return { workspaceId, apiKeyId: null, scopes, groups: [], actsFor: null, reach: 'workspace', via };
}

/** The stored form of an actor: the person for whom its key acts, or else the one that the request names. */
export function toActorRef(
  { apiKeyId = null, actsFor = null }: Partial<Pick<Actor, 'apiKeyId' | 'actsFor'>>,
  actingFor: string | undefined,
): ActorRef {
  return { apiKeyId, actingFor: actsFor ?? actingFor ?? null };
}
