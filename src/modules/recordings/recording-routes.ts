import { z } from 'zod';
import { tagSchema } from '../../domain/conversation.ts';
import { dateTimeSchema } from '../../domain/date-time.ts';
import { importReportSchema, type Recording } from '../../domain/recording.ts';
import { turnOutcomes } from '../../domain/turn-status.ts';
import { exportRecordings, type RecordingDependencies } from './export-recordings.ts';
import { importRecordings } from './import-recordings.ts';
import { routesOf } from '../../platform/http/route.ts';
import { integerParameter } from '../../platform/http/schemas.ts';

const route = routesOf<RecordingDependencies>();
const tag = 'recordings';

/** The maximum number of conversations that one request may name, or take at random. */
const mostNamed = 200;
const mostSampled = 100_000;

const filterQuery = z
  .strictObject({
    agentId: z.uuid().optional().describe('Only conversations with a turn of this agent'),
    from: dateTimeSchema.optional().describe('… that was created at this time or later'),
    to: dateTimeSchema.optional().describe('… that was created before this time'),
    outcome: z.enum(turnOutcomes).exclude(['steered']).optional().describe('… that ended so'),
    tool: z.string().min(1).max(200).optional().describe('… that called this tool'),
    tag: tagSchema.optional().describe('Only conversations with this tag'),
    conversationId: z
      .union([z.uuid(), z.array(z.uuid()).max(mostNamed)])
      .optional()
      .describe('Only this conversation; may be repeated'),
    sample: integerParameter(1, mostSampled).optional().describe('So many conversations at random'),
    seed: z.string().max(200).optional().describe('The same seed takes the same conversations'),
  })
  .refine(({ sample, seed }) => seed === undefined || sample !== undefined, {
    path: ['seed'],
    message: 'expected "sample" too',
  });

const exportAll = route({
  method: 'GET',
  path: '/api/recordings',
  operationId: 'exportRecordings',
  clientName: null,
  summary: 'Export conversations as lines of JSON',
  description:
    'Answers one line for each turn that is over, with all that its model calls saw, ordered by conversation and turn; ' +
    'docs/recording.schema.json describes a line. The parameters choose conversations: one with a turn that fits all of ' +
    'them is exported whole, since a turn cannot be understood without those before it. Without the scope `agents:read` the instructions, rules and ' +
    'definitions of tools are left out.',
  tag,
  right: 'recordings.export',
  query: filterQuery,
  answers: {},
  sendsLines: true,
  handler: ({ query, dependencies, actor }) => {
    const { conversationId, ...filter } = query;
    const conversationIds = conversationId === undefined ? undefined : [conversationId].flat();
    const recordings = exportRecordings(dependencies, actor, { ...filter, conversationIds });
    return Promise.resolve({ status: 200, frames: toLines(recordings), mediaType: 'application/x-ndjson' });
  },
});

async function* toLines(recordings: AsyncIterable<Recording>): AsyncGenerator<string> {
  for await (const recording of recordings) yield `${JSON.stringify(recording)}\n`;
}

const importLines = route({
  method: 'POST',
  path: '/api/recordings',
  operationId: 'importRecordings',
  clientName: null,
  summary: 'Import conversations from lines of JSON',
  description:
    'Stores each line of the body, as the export writes them, as a turn that is over: nothing of it runs. A line that was ' +
    'stored before is skipped, so that a request may be sent again; a line that cannot be stored is refused and does not ' +
    'stop the others. Without `agentId` the turns get agents of their own, whose tools cannot act, and the key needs ' +
    '`agents:write` too. After 45 seconds no further line is taken, and the answer has `timedOut`; a body that has not ' +
    'arrived after 60 seconds is cut off. Send a long file in pieces.',
  tag,
  right: 'recordings.import',
  query: z.strictObject({
    agentId: z.uuid().optional().describe('The agent that the turns belong to from now on'),
  }),
  takesLines: true,
  answers: { 200: importReportSchema },
  errors: ['NOT_FOUND'],
  handler: async ({ query, readLines, dependencies, actor }) => {
    const report = await importRecordings(dependencies, actor, {
      lines: readLines(),
      agentId: query.agentId,
    });
    return { status: 200, data: report };
  },
});

/** The endpoints of recordings. */
export const recordingRoutes = [exportAll, importLines];
