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

/** The part of an actor that says which rows it sees; the program itself names a workspace, and sees all of it. */
export type Viewer = Pick<Actor, 'workspaceId'> &
  Partial<Pick<Actor, 'actsFor' | 'reach' | 'scopes' | 'conversations'>>;

/** An actor that showed an API key. */
export interface KeyActor extends Actor {
  apiKeyId: string;
  /** The session of the browser that sent the request, which its cookie has named. */
  session?: { id: string; expiresAt: string };
}

/** Creates an actor without a key: it has all scopes and, since its person is not known, no groups. */
export function createKeylessActor(workspaceId: string, via: Actor['via']): Actor {
  return { workspaceId, apiKeyId: null, scopes, groups: [], actsFor: null, reach: 'workspace', via };
}

/** Returns what an API key sees: a key for one person alone sees what that person sees. */
export function toReach(actsFor: string | null): Actor['reach'] {
  return actsFor === null ? 'workspace' : 'own';
}

/** The stored form of an actor: the person for whom its key acts, or else the one that the request names. */
export function toActorRef(
  { apiKeyId = null, actsFor = null }: Partial<Pick<Actor, 'apiKeyId' | 'actsFor'>>,
  actingFor: string | undefined,
): ActorRef {
  return { apiKeyId, actingFor: actsFor ?? actingFor ?? null };
}
