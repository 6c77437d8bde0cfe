import { z } from 'zod';
import { createReplayCaseRepository } from '../replay-case-repository.ts';
import { createReplayRepository } from '../replay-repository.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import type { Query } from '../../../platform/database/statement.ts';
import {
  replayCaseDetailsSchema,
  reportCaseSchema,
  type ReplayEvent,
} from '../../../domain/replay-report.ts';
import { maxReplayCases, type GivenMargins } from '../../../domain/replay.ts';
import type { InReplays } from './create-replay-summary.ts';
import { followReplay } from '../follow-replay.ts';
import { getReplayCase, listReportCases } from './list-report-cases.ts';
import { buildReport } from './build-report.ts';
import { reportFormats, reportMediaTypes, writeReport } from './report-formats.ts';
import type { FollowDependencies } from '../../turns/follow/follow-turn.ts';
import { logFailure, toEventFrames } from '../../../platform/http/event-stream.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, integerParameter, nextCursorSchema } from '../../../platform/http/schemas.ts';
import type { ServerDependencies } from '../../../platform/http/server-dependencies.ts';

/** Everything that the reports of replays need from outside. */
export interface ReportDependencies
  extends Pick<FollowDependencies, 'openStreams'>, Pick<ServerDependencies, 'databaseState'> {
  database: Pick<Database, 'forStreams'>;
  /** The folder of the built console, which has the page of a report. @default reports cannot be had as HTML */
  consoleFolder?: string | undefined;
}

const route = routesOf<ReportDependencies>();
const tag = 'replays';
const position = integerParameter(0, maxReplayCases);

interface Pipelined {
  pipelined: <Result>(run: (query: Query) => Promise<Result>) => Promise<Result>;
}

function toInReplays({ pipelined }: Pipelined): InReplays {
  return (run) =>
    pipelined((query) =>
      run({ replays: createReplayRepository(query), replayCases: createReplayCaseRepository(query) }),
    );
}

const marginParameter = (what: string) =>
  z.coerce
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(`The smallest difference of ${what} that matters, as a share; by default that of the replay`);

const marginParameters = {
  passedMargin: marginParameter('the pass rate'),
  scoresMargin: marginParameter('scores'),
  costMargin: marginParameter('the cost'),
  durationMargin: marginParameter('the duration'),
};

type MarginQuery = z.output<z.ZodObject<typeof marginParameters>>;

function toGivenMargins(query: MarginQuery): GivenMargins {
  const { passedMargin, scoresMargin, costMargin, durationMargin } = query;
  return { passed: passedMargin, scores: scoresMargin, costUsd: costMargin, durationMs: durationMargin };
}

const getReport = route({
  method: 'GET',
  path: '/api/replays/:id/report',
  operationId: 'getReplayReport',
  summary: 'Get the report of a replay',
  description:
    'Answers the report without an envelope: as JSON, as one HTML page that loads nothing else, as Markdown for a pull ' +
    'request, or as JUnit XML. The cases that changed most come first, at most 5,000; long texts are cut. The report of a ' +
    'replay that has not ended has `partial: true` and the runs that are stored so far.',
  tag,
  right: 'replays.readTexts',
  params: idParams,
  query: z.strictObject({ format: z.enum(reportFormats).default('json'), ...marginParameters }),
  answers: {},
  sendsText: reportMediaTypes,
  handler: async (context) => {
    const { format, ...margins } = context.query;
    const report = await buildReport(toInReplays(context), context.actor, {
      replayId: context.params.id,
      margins: toGivenMargins(margins),
    });
    const { consoleFolder } = context.dependencies;
    return { status: 200, ...(await writeReport(report, { format, consoleFolder })) };
  },
});

const listCases = route({
  method: 'GET',
  path: '/api/replays/:id/cases',
  operationId: 'listReplayCases',
  summary: 'List the cases of a replay whose candidate has run',
  tag,
  right: 'replays.readTexts',
  params: idParams,
  query: z.strictObject({
    limit: integerParameter(1, 100, 20).describe('The most items on a page'),
    cursor: position.optional().describe('`nextCursor` of the previous page'),
    changed: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true` for cases that the candidate has changed, or that could not be run'),
  }),
  answers: { 200: z.object({ cases: z.array(reportCaseSchema), nextCursor: nextCursorSchema }) },
  handler: async (context) => {
    const { cursor = null, limit, changed } = context.query;
    const page = { after: cursor, limit, onlyChanged: changed === 'true' };
    const { items, nextCursor } = await listReportCases(toInReplays(context), context.actor, {
      replayId: context.params.id,
      ...page,
    });
    return { status: 200, data: { cases: items, nextCursor } };
  },
});

const getCase = route({
  method: 'GET',
  path: '/api/replays/:id/cases/:position',
  operationId: 'getReplayCase',
  summary: 'Get a case of a replay with all its runs',
  tag,
  right: 'replays.readTexts',
  params: idParams.extend({ position }),
  answers: { 200: z.object({ case: replayCaseDetailsSchema }) },
  handler: async (context) => {
    const { id, position: wanted } = context.params;
    const found = await getReplayCase(toInReplays(context), context.actor, {
      replayId: id,
      position: wanted,
    });
    return { status: 200, data: { case: found } };
  },
});

const streamReplay = route({
  method: 'GET',
  path: '/api/replays/:id/events',
  operationId: 'streamReplayEvents',
  clientName: null,
  summary: 'Follow the progress of a replay',
  description:
    'Answers with server-sent events: `replay.progress` with the state now and after each change, and `replay.settled` as ' +
    'the last one.',
  tag,
  right: 'replays.read',
  params: idParams,
  answers: {},
  errors: ['TOO_MANY_STREAMS'],
  sendsText: ['text/event-stream'],
  handler: async (context) => {
    const { params, actor, dependencies, pipelined } = context;
    const replay = await pipelined((query) => createReplayRepository(query).getReplay(params.id));
    const signal = dependencies.openStreams.open(actor, context.openSignal());
    const following = { workspaceId: actor.workspaceId, replay, signal };
    const events = followReplay(dependencies.database.forStreams, following);
    const frames = toEventFrames(events, (event: ReplayEvent) => ({ data: event }));
    return { status: 200, frames: logFailure(frames, context) };
  },
});

/** The endpoints for the results of a replay. */
export const replayReportRoutes = [getReport, listCases, getCase, streamReplay];
