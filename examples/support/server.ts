import { createServer, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createHoldfastClient, type HoldfastClient } from 'holdfast/client';
import { createChatHandler, toNodeHandler, verifyWebhook, WebhookError } from 'holdfast/handlers';

/** The settings of the application's own API. */
export interface AppOptions {
  holdfast: HoldfastClient;
  webhookSecret: string;
  routineId: string;
  /** Called once for each message of Holdfast. @default prints it */
  onMessage?: (type: string, data: object) => void;
}

/** Sessions of the shop: the customers that are signed in, by their cookies. Replace them by yours. */
const sessions = new Map([
  ['session=7c1f', 'customer-42'],
  ['session=93ab', 'customer-43'],
]);

const findCustomer = (request: Request) => sessions.get(request.headers.get('cookie') ?? '') ?? null;

/** Creates the API of the shop: `/chat` for browsers, `/hooks` for Holdfast, `/follow-ups` for the back office. */
export function createApp({
  holdfast,
  webhookSecret,
  routineId,
  onMessage = console.log,
}: AppOptions): Server {
  const chat = createChatHandler({ holdfast, agent: 'Support', customer: findCustomer, onBusy: 'steer' });
  const seen = new Set<string>(); // keep them for as long as messages may come again: three days

  async function receive(request: Request): Promise<Response> {
    try {
      const { id, type, data } = await verifyWebhook(request, { secret: webhookSecret });
      if (!seen.has(id)) onMessage(type, data);
      seen.add(id);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof WebhookError) return new Response(null, { status: error.statusCode });
      throw error;
    }
  }

  async function followUp(request: Request): Promise<Response> {
    const { order, days = 1 } = (await request.json()) as { order: string; days?: number };
    const { id } = await holdfast.routines.start(routineId, { input: { order, days } });
    return Response.json({ runId: id }, { status: 202 });
  }

  return createServer(
    toNodeHandler(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/chat') return chat(request);
      if (pathname === '/hooks') return receive(request);
      if (pathname === '/follow-ups' && request.method === 'POST') return followUp(request);
      return new Response(null, { status: 404 });
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { HOLDFAST_URL: baseUrl = '', HOLDFAST_API_KEY: apiKey = '', APP_PORT = '4600' } = process.env;
  const { WEBHOOK_SECRET: webhookSecret = '', FOLLOW_UP_ROUTINE: routineId = '' } = process.env;
  const holdfast = createHoldfastClient({ baseUrl, apiKey });
  createApp({ holdfast, webhookSecret, routineId }).listen(Number(APP_PORT), '127.0.0.1', () => {
    console.log(`The API of the shop answers at http://127.0.0.1:${APP_PORT}.`);
  });
}
