import { z } from 'zod';
import { logFailure, toEventFrames } from '../../platform/http/event-stream.ts';
import { routesOf } from '../../platform/http/route.ts';
import type { ServerDependencies } from '../../platform/http/server-dependencies.ts';
import { parseChangeCursor, toChangeCursorText } from './change-cursor.ts';
import { followChanges, type ChangeDelivery, type ChangeDependencies } from './follow-changes.ts';

const route = routesOf<ChangeDependencies & Pick<ServerDependencies, 'databaseState'>>();

const streamChanges = route({
  method: 'GET',
  path: '/api/changes',
  operationId: 'streamChanges',
  clientName: null,
  summary: 'Follow what changes in the workspace',
  description:
    'Answers with server-sent events. `changes` has an array of notes: the type and id of what was created or has another ' +
    'status, and the status; the thing itself is read by its id. Notes are about agents with each new version, turns, ' +
    'actions that wait for people, runs of routines and schedules, swarms, replays, documents, deliveries of webhooks and ' +
    'triggers, and messages in inboxes, as far as the caller may read each. Each event has an `id`; a client that sends it as `Last-Event-ID` gets every ' +
    'later note once. `reset` means that earlier changes are not known, so that the client reads anew what it shows: it is ' +
    'the first event without an id, and after an id that is older than a day or from before a crash of the database.',
  tag: 'events',
  right: 'changes.read',
  query: z.strictObject({
    after: z
      .string()
      .optional()
      .describe('The id of the last event that the client has. A `Last-Event-ID` header overrides it'),
  }),
  headers: z.looseObject({
    'last-event-id': z.string().optional().describe('The id of the last event that the client has'),
  }),
  answers: {},
  errors: ['TOO_MANY_STREAMS'],
  sendsText: ['text/event-stream'],
  handler: (context) => {
    const { headers, query, dependencies, actor } = context;
    const lastEventId = headers['last-event-id'] || undefined;
    const field = lastEventId === undefined ? 'after' : 'Last-Event-ID';
    const after = parseChangeCursor(lastEventId ?? query.after, field);
    const deliveries = followChanges(dependencies, actor, { after, signal: context.openSignal() });
    const frames = toEventFrames(deliveries, toEvent);
    return Promise.resolve({ status: 200, frames: logFailure(frames, context) });
  },
});

function toEvent({ cursor, event }: ChangeDelivery) {
  return { id: toChangeCursorText(cursor), data: event };
}

/** The endpoint that follows the changes of a workspace. */
export const changeRoutes = [streamChanges];
