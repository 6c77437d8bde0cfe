import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnection } from '../../src/connections/create-connection.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createServices, type Services } from '../../src/main/create-services.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { newId } from '../../src/lib/ids.ts';
import { loadProviders } from '../../src/providers/registry.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { readRequestCases } from './requests/all-requests.ts';
import { caseFile, caseFileId, type ProviderRequests } from './requests/request-case.ts';
import { readVendorDocument, type VendorDocument } from './vendor-documents.ts';
import { startVendorServer, type RecordedRequest, type VendorServer } from '../servers/vendor-server.ts';

const registry = await loadProviders();
const allRequests = await readRequestCases();
const token = `token-${randomUUID()}`;
const encryption = { HOLDFAST_ENCRYPTION_KEYS: `lab:${randomBytes(32).toString('base64')}` };

let lab: TurnLab;
let services: Services;
beforeAll(async () => {
  lab = await startTurnLab({ environment: encryption });
  const config = loadConfig(lab.environment);
  services = await createServices({
    config,
    databaseUrl: lab.databaseUrl,
    logger: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  await services.close();
  await lab.close();
});

/** The answer of the vendor: that of the case, or as its document declares it. */
function answer(
  document: VendorDocument | null,
  request: RecordedRequest,
  cases: ProviderRequests['cases'],
): unknown {
  const { method, target } = request;
  const own = Object.values(cases).find((one) => one.method === method && one.target === target)?.answer;
  return own ?? document?.toExample(request) ?? { ok: true };
}

const { name, mediaType, bytes } = caseFile;
const storedFile = { name, mediaType, bytes };

/** The input of a case with the id of a file that is stored. */
function withFile(input: JsonObject, fileId: string): JsonObject {
  return JSON.parse(JSON.stringify(input).replaceAll(caseFileId, fileId)) as JsonObject;
}

async function connect(provider: string, endpoint: string): Promise<string> {
  const input = {
    name: `To ${provider} ${newId()}`,
    provider,
    endpoint,
    auth: { type: 'bearer' as const, token },
  };
  const connection = await createConnection(
    services,
    { workspaceId: lab.workspaceId, apiKeyId: newId() },
    input,
  );
  return connection.id;
}

function toTools(provider: string, connectionId: string): ToolInput[] {
  return registry.listTools(provider).map(({ name, description, inputSchema }) => ({
    type: 'mcp',
    name,
    description,
    schema: inputSchema,
    config: { connectionId, provider },
  }));
}

describe.each([...allRequests])('%s', (provider, { cases }) => {
  let server: VendorServer;
  let document: VendorDocument | null;
  beforeAll(async () => {
    document = await readVendorDocument(provider);
    server = await startVendorServer((request) => ({ body: answer(document, request, cases) }));
  });
  afterAll(() => server.close());

  test('runs every operation once in the turn of an agent', async () => {
    const tools = toTools(provider, await connect(provider, server.url));
    const { id: fileId } = await services.blobs.put({ workspaceId: lab.workspaceId, ...storedFile });
    const scene = await lab.scene({ tools, limits: { turnTimeoutMs: 60_000 } });
    const toolCalls = tools.map(({ name }) => ({
      name,
      arguments: withFile(cases[name.slice(provider.length + 1)]?.input ?? {}, fileId),
    }));
    scene.reply({ toolCalls }, { text: 'All done.' });
    const turn = await lab.waitForOutcome(await scene.say('Do everything once.'));
    expect([turn.status, turn.answer]).toEqual(['completed', 'All done.']);

    const ledger = await lab.readLedger(turn.id);
    expect(ledger.map(({ name, status, error }) => ({ name, status, error }))).toEqual(
      tools.map(({ name }) => ({ name, status: 'succeeded', error: null })),
    );
    expect(ledger.map(({ effect }) => effect)).toEqual(
      tools.map(({ name }) => registry.effectOf(provider, name)),
    );
    // A list may ask for more pages than the first.
    const asked = server.requests.map(({ method, target }) => `${method} ${target}`);
    const wanted = Object.values(cases).map(({ method, target }) => `${method} ${target}`);
    expect(asked).toEqual(expect.arrayContaining(wanted));
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
    for (const { result } of ledger) expect(JSON.parse(result ?? '')).toBeDefined();
  });
});

test('gives the vendor’s error message to the model, which can continue', async () => {
  const server = await startVendorServer(() => ({ body: { ok: false, error: 'channel_not_found' } }));
  try {
    const connectionId = await connect('slack', server.url);
    const tools = toTools('slack', connectionId).slice(0, 1);
    const scene = await lab.scene({ tools });
    scene.reply(
      { toolCalls: [{ name: 'slack_sendMessage', arguments: { channel: 'C404', text: 'Hello' } }] },
      { text: 'There is no such channel.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Say hello.'));
    expect(turn.answer).toBe('There is no such channel.');
    const told = scene.requests()[1]?.body.messages.at(-1);
    expect([told?.role, told?.content]).toEqual([
      'tool',
      expect.stringContaining('Slack: channel_not_found') as string,
    ]);
    expect(server.requests).toHaveLength(1);
  } finally {
    await server.close();
  }
});
