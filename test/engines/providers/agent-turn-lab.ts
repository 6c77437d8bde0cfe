import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createConnection } from '../../../src/modules/connections/create-connection.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { createServices, type Services } from '../../../src/main/create-services.ts';
import type { ToolInput } from '../../../src/domain/tool.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import type { Operation, Paging } from '../../../src/engines/providers/define-operation.ts';
import type { Provider } from '../../../src/engines/providers/define-provider.ts';
import { openProviders } from '../../../src/engines/providers/registry.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { readRequestCases } from '../../../providers/test/requests/all-requests.ts';
import {
  caseFile,
  caseFileId,
  type ProviderRequests,
} from '../../../providers/test/requests/request-case.ts';
import { readVendorDocument, type VendorDocument } from '../../../providers/test/vendor-documents.ts';
import {
  startVendorServer,
  type RecordedRequest,
  type VendorReply,
  type VendorServer,
} from '../../servers/vendor-server.ts';

const registry = await openProviders();
const allRequests = await readRequestCases();
const token = `token-${randomUUID()}`;
const encryption = { HOLDFAST_ENCRYPTION_KEYS: `lab:${randomBytes(32).toString('base64')}` };

/** The names of all providers that have request cases. */
export const providerNames = [...allRequests.keys()];

/** A lab, and the services that store connections and files in its workspace. */
interface ProviderLab extends TurnLab {
  services: Services;
}

/** Opens a lab for the tests of a file. */
export function openProviderLab(): ProviderLab {
  return openForTests(async () => {
    const lab = await startTurnLab({ environment: encryption });
    const services = await createServices({
      config: loadConfig(lab.environment),
      databaseUrl: lab.databaseUrl,
      logger: pino({ level: 'silent' }),
    });
    const close = async () => {
      await services.close();
      await lab.close();
    };
    return { ...lab, services, close };
  });
}

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

/** Creates a connection to a provider whose server has another address, and returns its id. */
export async function connect(
  { services, workspaceId }: ProviderLab,
  provider: string,
  endpoint: string,
): Promise<string> {
  const input = {
    name: `To ${provider} ${newId()}`,
    provider,
    endpoint,
    auth: { type: 'bearer' as const, token },
  };
  const connection = await createConnection(services, { workspaceId, apiKeyId: newId() }, input);
  return connection.id;
}

/** Returns the operations of a provider as tools of an agent. */
export async function toTools(provider: string, connectionId: string): Promise<ToolInput[]> {
  const tools = (await registry.findEntry(provider))?.tools ?? [];
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'mcp',
    name,
    description,
    schema: inputSchema,
    config: { connectionId, provider },
  }));
}

/** Puts a value at a path of names; a number is a place in a list. */
function put(into: JsonObject, path: string, value: JsonValue): JsonObject {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...into, [name]: value };
  const inner = isJsonObject(into[name]) ? into[name] : {};
  return { ...into, [name]: put(inner, rest.join('.'), value) };
}

/** A page of a list as its vendor answers it, with the marker of the next one or as the last. */
function toPage(paging: Paging, isLast: boolean): VendorReply {
  const next = 'next' in paging ? paging.next : undefined;
  const [, ofItem] = /-1\.(.*)$/.exec(next ?? '') ?? [];
  const counts = paging.style === 'page' || paging.style === 'offset';
  const full = counts && (paging.more ?? paging.last) === undefined ? (paging.size?.max ?? 1) : 2;
  const length = isLast && counts ? 0 : full;
  const items = Array.from({ length }, () => put({}, ofItem ?? 'id', 'i1'));
  if (paging.items === '') return { body: isLast ? [] : items, ...(isLast ? {} : { headers: linkToNext }) };
  const place = paging.style === 'link' ? 'https://vendor.example/x?page=2' : 'c2';
  const marks: [string | undefined, JsonValue][] = [
    [paging.items, ofItem !== undefined && isLast ? [] : items],
    [ofItem === undefined && !isLast ? next : undefined, place],
    [paging.more, !isLast],
    [paging.last, isLast],
  ];
  const body = marks.reduce<JsonObject>(
    (all, [at, value]) => (at === undefined ? all : put(all, at, value)),
    {},
  );
  return { body, ...(isLast ? {} : { headers: linkToNext }) };
}

const linkToNext = { link: '<https://vendor.example/x?page=2>; rel="next"' };

/** How vendors answer badly, the operations that meet it, and how the first request of one is answered. */
interface Trouble {
  title: string;
  fits: (operation: Operation, provider: Provider) => boolean;
  first: (operation: Operation, provider: Provider) => VendorReply;
  /** The answer to the second request, if there is one. */
  second?: (operation: Operation) => VendorReply;
  status: 'succeeded' | 'failed' | 'unknown';
  requests: number;
}

function toFault({ graphql }: Operation, { errors: { when } }: Provider): VendorReply {
  if (graphql !== undefined) return { body: { data: null, errors: [{ message: 'No such thing' }] } };
  return { body: put({}, when?.at ?? '', when?.oneOf?.[0] ?? 'No such thing') };
}

/** Of numbered pages as large as the maximum that a call asks for, one is enough. */
function hasPages({ paging }: Operation): boolean {
  const counts = paging?.style === 'page' || paging?.style === 'offset';
  return paging !== undefined && !(counts && (paging.size?.max ?? 0) >= 1000);
}

const ok: VendorReply = { body: { ok: true } };

const troubles: Trouble[] = [
  {
    ...{ title: '429 with Retry-After, which is waited for', status: 'succeeded', requests: 2 },
    fits: ({ effect, paging }) => effect === 'read_only' && paging === undefined,
    first: () => ({ status: 429, headers: { 'retry-after': '0' } }),
    second: () => ok,
  },
  {
    ...{ title: 'pages, which are followed to the end', status: 'succeeded', requests: 2 },
    fits: hasPages,
    first: ({ paging }) => toPage(paging as Paging, false),
    second: ({ paging }) => toPage(paging as Paging, true),
  },
  {
    ...{ title: '500 to a reading call, which is made again', status: 'succeeded', requests: 2 },
    fits: ({ effect, paging }) => effect === 'read_only' && paging === undefined,
    first: () => ({ status: 500, body: { message: 'Ouch' } }),
    second: () => ok,
  },
  {
    ...{
      title: '500 to a call that may have acted, whose outcome is unknown',
      status: 'unknown',
      requests: 1,
    },
    fits: ({ effect }) => effect === 'unsafe',
    first: () => ({ status: 500, body: { message: 'Ouch' } }),
  },
  {
    ...{ title: 'an error inside a 200', status: 'failed', requests: 1 },
    fits: ({ graphql }, { errors }) => graphql !== undefined || errors.when !== undefined,
    first: toFault,
  },
  {
    ...{ title: '401', status: 'failed', requests: 1 },
    fits: () => true,
    first: () => ({ status: 401, body: { message: 'Who are you?' } }),
  },
];

/** Tests that agents call every operation of some providers, and how calls end whose vendor answers badly. */
export function testAgentTurns(lab: ProviderLab, names: readonly string[]): void {
  const requests = [...allRequests].filter(([name]) => names.includes(name));

  describe.each(requests)('%s', (provider, { cases }) => {
    let server: VendorServer;
    let document: VendorDocument | null;
    beforeAll(async () => {
      document = await readVendorDocument(provider);
      server = await startVendorServer((request) => ({ body: answer(document, request, cases) }));
    });
    afterAll(() => server.close());

    test('runs every operation once in the turn of an agent', async () => {
      const tools = await toTools(provider, await connect(lab, provider, server.url));
      const { id: fileId } = await lab.services.resultFiles.put({
        workspaceId: lab.workspaceId,
        ...storedFile,
      });
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
      const entry = await registry.findEntry(provider);
      expect(ledger.map(({ effect }) => effect)).toEqual(tools.map(({ name }) => entry?.effectOf(name)));
      // A list may ask for more pages than the first.
      const asked = server.requests.map(({ method, target }) => `${method} ${target}`);
      const wanted = Object.values(cases).map(({ method, target }) => `${method} ${target}`);
      expect(asked).toEqual(expect.arrayContaining(wanted));
      expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
      for (const { result } of ledger) expect(JSON.parse(result ?? '')).toBeDefined();
    });
  });

  test.each(troubles)('one turn meets $title, at every provider that has it', async (trouble) => {
    const met = (await registry.listProviders()).flatMap((provider) => {
      if (!names.includes(provider.name)) return [];
      const found = Object.entries(provider.operations).find(([, one]) => trouble.fits(one, provider));
      return found ? [{ provider, name: found[0], operation: found[1] }] : [];
    });
    const answered = new Set<string>();
    const server = await startVendorServer(({ target }) => {
      const one = met.find(({ provider: { name } }) => target.startsWith(`/${name}/`));
      if (!one) return { status: 404 };
      if (answered.has(one.provider.name)) return trouble.second?.(one.operation) ?? ok;
      answered.add(one.provider.name);
      return trouble.first(one.operation, one.provider);
    });
    onTestFinished(() => server.close());
    const { id: fileId } = await lab.services.resultFiles.put({
      workspaceId: lab.workspaceId,
      ...storedFile,
    });
    const tools: ToolInput[] = [];
    for (const { provider, name } of met) {
      const connectionId = await connect(lab, provider.name, `${server.url}/${provider.name}`);
      const own = await toTools(provider.name, connectionId);
      tools.push(...own.filter((tool) => tool.name === `${provider.name}_${name}`));
    }
    const toolCalls = met.map(({ provider, name, operation }) => ({
      name: `${provider.name}_${name}`,
      arguments: {
        ...withFile(allRequests.get(provider.name)?.cases[name]?.input ?? {}, fileId),
        ...(operation.paging ? { max_items: 1000 } : {}),
      },
    }));
    const scene = await lab.scene({ tools, limits: { turnTimeoutMs: 60_000 } });
    scene.reply({ toolCalls }, { text: 'All done.' });
    const turn = await lab.waitForOutcome(await scene.say('Do it.'));
    expect([turn.status, turn.answer]).toEqual(['completed', 'All done.']);
    const ledger = await lab.readLedger(turn.id);
    expect(ledger.map(({ name, status }) => [name, status])).toEqual(
      toolCalls.map(({ name }) => [name, trouble.status]),
    );
    for (const { provider, operation } of met) {
      const sent = server.requests.filter(({ target }) => target.startsWith(`/${provider.name}/`));
      expect(sent, provider.name).toHaveLength(trouble.requests);
      const list = ledger.find(({ name }) => name.startsWith(`${provider.name}_`))?.result ?? '';
      if (trouble.second && operation.paging)
        expect(JSON.parse(list), provider.name).toMatchObject({ more: false });
    }
  });
}
