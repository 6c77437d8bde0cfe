import { hookPath } from './change-trigger.ts';
import { receiveDelivery } from './receive-delivery.ts';
import type { TriggerDependencies } from './trigger-dependencies.ts';
import { hidden } from '../../platform/http/access.ts';
import type { HttpServer } from '../../platform/http/server-type.ts';

/**
 * Adds the route to which vendors deliver their webhooks. It needs no API key: the sender signs each delivery with the
 * secret of the trigger.
 */
export function addHooks(server: HttpServer, dependencies: TriggerDependencies): void {
  void server.register((hooks, _options, done) => {
    // The signature is over the bytes of the body, whatever they are.
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    const access = { open: 'The signature of the secret of the trigger is checked.' };
    hooks.post(`${hookPath}/:triggerId`, hidden(access), async (request, reply) => {
      const { triggerId } = request.params as { triggerId: string };
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const url = `${dependencies.publicUrl()}${request.url}`;
      const received = { headers: request.headers, body, url, receivedAt: Date.now() };
      const answer = await receiveDelivery(dependencies, triggerId, received);
      request.loggedIds = { triggerId };
      return reply.code(200).send(answer);
    });
    done();
  });
}
