import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HoldfastError } from '../../../domain/errors.ts';
import { decidePress, verifyPress, type Press, type PressDependencies } from './decide-in-slack.ts';
import { buttonIds } from './slack-message.ts';
import { hidden } from '../../../platform/http/access.ts';
import type { HttpServer } from '../../../platform/http/server-type.ts';

const path = '/api/slack/interactions/:webhookId';

const id = z.string().regex(/^[A-Z0-9]{1,50}$/);

/** The fields of a press that are used: https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
const pressSchema = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id, team_id: id.optional() }),
  team: z.object({ id }).nullish(),
  response_url: z.url().max(2000),
  actions: z.array(z.object({ action_id: z.enum(Object.values(buttonIds)), value: z.uuid() })).min(1),
});

/**
 * Adds the route that Slack calls when a person presses a button of a message. It needs no API key: Slack signs the
 * request with the signing secret of the webhook. Slack takes 200 without a body as "done".
 */
export function addSlackInteractions(server: HttpServer, dependencies: PressDependencies): void {
  void server.register((slack, _options, done) => {
    // The signature is over the body as it was sent.
    slack.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, parsed) => parsed(null, body),
    );
    slack.post(
      path,
      hidden({ open: 'The signature of the secret of the channel is checked.' }),
      async (request, reply) => {
        const { webhookId } = request.params as { webhookId: string };
        const body = typeof request.body === 'string' ? request.body : '';
        const channel = await verifyPress(dependencies, webhookId, { ...toSigned(request), body });
        const press = parsePress(body);
        if (press) await decidePress({ ...dependencies, logger: request.log }, channel, press);
        return reply.code(200).send();
      },
    );
    done();
  });
}

function toSigned({ headers }: FastifyRequest) {
  const only = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined);
  return {
    timestamp: only(headers['x-slack-request-timestamp']),
    signature: only(headers['x-slack-signature']),
  };
}

/** Returns the press of a button; null for other interactions, which Holdfast does not offer. */
function parsePress(body: string): Press | null {
  const parsed = pressSchema.safeParse(parseJson(new URLSearchParams(body).get('payload') ?? 'null'));
  const [button] = parsed.data?.actions ?? [];
  if (!parsed.data || !button) return null;
  const { user, team, response_url: responseUrl } = parsed.data;
  return {
    actionId: button.value,
    decision: button.action_id === buttonIds.approve ? 'approve' : 'reject',
    teamId: user.team_id ?? team?.id ?? 'unknown',
    userId: user.id,
    responseUrl,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HoldfastError('INVALID_INPUT', 'Expected an interaction of Slack as JSON in "payload".');
  }
}
