import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ActionDependencies } from '../action-dependencies.ts';
import { openActionLink, toActionPath, type LinkDependencies, type OpenedAction } from '../action-link.ts';
import { decideAction } from '../decide-action.ts';
import { decisionInputSchema, type DecisionInput } from '../../../domain/action.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import { parseJsonObject } from '../../../domain/json.ts';
import { errorStatuses, toErrorInfo } from '../../../platform/http/error-statuses.ts';
import { failPage } from '../../../platform/http/failed-page.ts';
import { addFormBodies, pageHeaders } from '../../../platform/http/page.ts';
import type { ServerDependencies } from '../../../platform/http/server-dependencies.ts';
import { hidden } from '../../../platform/http/access.ts';
import type { HttpServer } from '../../../platform/http/server-type.ts';
import { toActionPage, toProblemPage } from './action-http-answer.ts';

const linkSchema = z.object({ token: z.string().max(4000) });

/** The form of the page. `arguments` are missing where they are too long to be changed on it. */
const formSchema = linkSchema.extend({
  decision: z.enum(['approve', 'reject']),
  reason: z.string().trim().default(''),
  arguments: z.string().optional(),
});
type SentForm = z.infer<typeof formSchema>;

type PageDependencies = ActionDependencies & LinkDependencies & Pick<ServerDependencies, 'databaseState'>;

interface Exchange {
  dependencies: PageDependencies;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Answer = (exchange: Exchange, actionId: string) => Promise<string>;

/**
 * Adds the page on which a person decides about a tool call. It needs no API key but a link with a token. To open it
 * changes nothing, so that programs that look at links decide nothing; its form decides.
 */
export function addActionPages(server: HttpServer, dependencies: PageDependencies): void {
  void server.register((pages, _options, done) => {
    addFormBodies(pages);
    const options = hidden({ open: 'The address has a sealed token, which decides one action.' });
    const toHandler = (answer: Answer) => (request: FastifyRequest, reply: FastifyReply) =>
      answerBrowser({ dependencies, request, reply }, answer);
    pages.get(toActionPath(':id'), { ...options, exposeHeadRoute: true }, toHandler(show));
    pages.post(toActionPath(':id'), options, toHandler(decide));
    done();
  });
}

async function answerBrowser(exchange: Exchange, answer: Answer): Promise<FastifyReply> {
  const { request, reply } = exchange;
  reply.headers(pageHeaders);
  try {
    const { id } = request.params as { id: string };
    return await reply.send(await answer(exchange, id));
  } catch (error) {
    const message = failPage({ ...exchange, error, line: 'a page could not be shown' });
    return reply.send(toProblemPage(message));
  }
}

const show: Answer = async ({ dependencies, request }, actionId) => {
  const { token } = parse(linkSchema, request.query);
  const { action } = await openActionLink(dependencies, { actionId, token });
  return toActionPage(action, { target: toTarget(dependencies, actionId), token });
};

const decide: Answer = async ({ dependencies, request, reply }, actionId) => {
  const sent = parse(formSchema, request.body);
  const { token } = sent;
  const opened = await openActionLink(dependencies, { actionId, token });
  const target = toTarget(dependencies, actionId);
  try {
    const input = toDecisionInput(sent, opened);
    await decideAction({ ...dependencies, logger: request.log }, opened.decider, { id: actionId, input });
  } catch (error) {
    const { code, message } = toErrorInfo(error);
    if (code !== 'INVALID_INPUT' && code !== 'ACTION_DECIDED') throw error;
    reply.code(errorStatuses[code]);
    if (code === 'INVALID_INPUT')
      return toActionPage(opened.action, { ...sent, target, token, problem: message });
  }
  const { action } = await openActionLink(dependencies, { actionId, token });
  return toActionPage(action, { target, token });
};

/** Arguments that the person has left as they were are no change. */
function toDecisionInput(
  { decision, reason, arguments: written }: SentForm,
  { action }: OpenedAction,
): DecisionInput {
  const changed = decision === 'reject' || written === undefined ? null : parseArguments(written);
  const isSame = changed === null || isDeepStrictEqual(changed, action.arguments);
  const parsed = decisionInputSchema.safeParse({
    decision,
    ...(reason === '' ? {} : { reason }),
    ...(isSame ? {} : { arguments: changed }),
  });
  if (parsed.success) return parsed.data;
  throw createInvalidInput(
    parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
  );
}

function parseArguments(text: string) {
  const parsed = parseJsonObject(text);
  if (parsed) return parsed;
  throw createInvalidInput([{ field: 'arguments', message: 'expected a JSON object' }]);
}

function toTarget({ publicUrl }: PageDependencies, actionId: string): string {
  return `${publicUrl()}${toActionPath(actionId)}`;
}

function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HoldfastError('INVALID_INPUT', 'Open the whole link that you were given.');
}
