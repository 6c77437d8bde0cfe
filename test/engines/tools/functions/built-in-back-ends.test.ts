import { afterAll, describe, expect, test } from 'vitest';
import type { OpenConnection } from '../../../../src/domain/connection.ts';
import { HoldfastError } from '../../../../src/domain/errors.ts';
import type { ImageCall } from '../../../../src/domain/model.ts';
import type { NewResultFile, ToolConfigs } from '../../../../src/domain/tool.ts';
import { createGuardedFetch } from '../../../../src/platform/egress/guarded-fetch.ts';
import type { FunctionBackEnds } from '../../../../src/engines/tools/functions/built-in-functions.ts';
import { createFunctionRegistry } from '../../../../src/engines/tools/functions/function-registry.ts';
import { functionTool } from '../../../../src/engines/tools/function-tool.ts';
import { containing } from '../../../labs/matchers.ts';
import { createFunctionRun } from '../../../labs/tool-run.ts';

const fetch = createGuardedFetch();

afterAll(() => fetch.close());

/** Back ends that record their requests. */
function createBackEnds(overrides: Partial<FunctionBackEnds> = {}) {
  const asked: unknown[] = [];
  const resultFiles: NewResultFile[] = [];
  const backEnds: FunctionBackEnds = {
    connections: {
      open: (request) => {
        asked.push(request);
        return Promise.resolve({
          redact: (text) => text.replaceAll('s3cret', '[redacted]'),
        } as OpenConnection);
      },
    },
    router: {
      searchWeb: (_connection, search, run) => {
        asked.push({ ...search, idempotencyKey: run?.idempotencyKey });
        const found = { title: 'Boats', url: 'https://boats.example/', snippet: 'All on boats. s3cret' };
        return Promise.resolve({ status: 'succeeded', results: [found, found, found] });
      },
    },
    searchKnowledge: ({ workspaceId, knowledgeBaseId: id, query, limit }) => {
      asked.push({ workspaceId, knowledgeBaseId: id, query, limit });
      const found = { score: 1, position: 3, page: 12, headings: ['Leave'], text: 'Thirty days.' };
      return Promise.resolve({
        results: [{ ...found, document: { id: 'd', name: 'handbook.pdf' } }],
        notice: null,
      });
    },
    generateImage: ({ model: name, connection, prompt, size }: ImageCall) => {
      asked.push({ model: name, connection, prompt, size });
      return Promise.resolve({ bytes: new Uint8Array(3), mediaType: 'image/png' });
    },
    resultFiles: {
      put: (file) => {
        resultFiles.push(file);
        return Promise.resolve({ id: 'file-1' });
      },
      get: () => Promise.reject(new Error('no function reads a file')),
    },
    ...overrides,
  };
  return { backEnds, asked, resultFiles };
}

function call(
  name: string,
  {
    config = {},
    backEnds,
    input = {},
  }: {
    config?: ToolConfigs['function'];
    backEnds?: FunctionBackEnds;
    input?: Record<string, string | number>;
  },
) {
  const functions = createFunctionRegistry(backEnds ? { backEnds } : {});
  const { run } = createFunctionRun(name, input, { tool: { config } });
  return functionTool.run(run, { functions, fetch, now: () => new Date(), services: {} });
}

const connectionId = 'connection-1';
const knowledgeBaseId = 'knowledge-1';
const model = 'openai/gpt-image-1';

describe.each([
  { name: 'web_search', input: { query: 'boats' }, config: { connectionId } },
  { name: 'file_search', input: { query: 'leave' }, config: { knowledgeBaseId } },
  { name: 'generate_image', input: { prompt: 'a boat' }, config: { model } },
])('$name', ({ name, input, config }) => {
  const setting = `config.${Object.keys(config)[0] ?? ''}`;

  test('names the missing setting when it has no back end', async () => {
    const refused = {
      status: 'failed',
      error: { code: 'TOOL_NOT_CONFIGURED', message: containing(setting) },
    };
    expect(await call(name, { backEnds: createBackEnds().backEnds, input })).toMatchObject(refused);
    expect(await call(name, { config, input })).toMatchObject(refused);
  });

  test('refuses arguments that its schema does not name', async () => {
    const { backEnds, asked } = createBackEnds();
    const result = await call(name, { backEnds, config, input: { ...input, colour: 'red' } });
    expect(result).toMatchObject({ error: { code: 'INVALID_TOOL_ARGUMENTS' } });
    expect(asked).toEqual([]);
  });
});

describe('web_search', () => {
  test('returns titles, addresses and snippets of the requested number of pages', async () => {
    const { backEnds, asked } = createBackEnds();
    const result = await call('web_search', {
      backEnds,
      config: { connectionId },
      input: { query: 'boats', count: 2 },
    });
    const page = { title: 'Boats', url: 'https://boats.example/', snippet: 'All on boats. [redacted]' };
    expect(JSON.parse('text' in result ? result.text : '')).toEqual([page, page]);
    expect(asked).toEqual([
      { workspaceId: 'workspace-1', connectionId },
      { query: 'boats', count: 2, idempotencyKey: 'key-1' },
    ]);
  });

  test('returns the failure of the search provider', async () => {
    const error = { code: 'TOOL_NOT_CONFIGURED', message: 'The connection Slack is no web search.' };
    const router = { searchWeb: () => Promise.resolve({ status: 'failed' as const, error }) };
    const { backEnds } = createBackEnds({ router });
    expect(await call('web_search', { backEnds, config: { connectionId }, input: { query: 'x' } })).toEqual({
      status: 'failed',
      error,
    });
  });
});

describe('file_search', () => {
  test('returns passages, each with its document and page', async () => {
    const { backEnds, asked } = createBackEnds();
    const result = await call('file_search', {
      backEnds,
      config: { knowledgeBaseId },
      input: { query: 'leave' },
    });
    expect(result).toMatchObject({
      status: 'succeeded',
      text: containing('handbook.pdf, page 12, Leave\nThirty days.'),
    });
    expect(asked).toEqual([{ workspaceId: 'workspace-1', knowledgeBaseId, query: 'leave', limit: 5 }]);
  });

  test('fails with a clear message when its knowledge base was deleted', async () => {
    const gone = () => Promise.reject(new HoldfastError('NOT_FOUND', 'There is no knowledge base.'));
    const { backEnds } = createBackEnds({ searchKnowledge: gone });
    expect(
      await call('file_search', { backEnds, config: { knowledgeBaseId }, input: { query: 'leave' } }),
    ).toMatchObject({ status: 'failed', error: { code: 'TOOL_MISCONFIGURED' } });
  });
});

describe('generate_image', () => {
  const config = { model, connectionId };

  test('stores the image and returns a reference to it, with the price of the image', async () => {
    const { backEnds, asked, resultFiles } = createBackEnds();
    const input = { prompt: 'a boat', size: '1024x1024' };
    expect(await call('generate_image', { backEnds, config, input })).toEqual({
      status: 'succeeded',
      text: containing('file file-1]'),
      content: { content: [{ type: 'image', mimeType: 'image/png', blobId: 'file-1', bytes: 3 }] },
      creditsUsed: '167000',
    });
    expect(asked).toEqual([{ model, connection: { workspaceId: 'workspace-1', connectionId }, ...input }]);
    const stored = {
      workspaceId: 'workspace-1',
      turnId: 'turn-1',
      mediaType: 'image/png',
      name: 'image.png',
    };
    expect(resultFiles).toMatchObject([stored]);
  });

  const connectFailure = Object.assign(new Error('connect'), { syscall: 'connect' });

  test.each([
    ['MODEL_UNAVAILABLE', { cause: undefined }, { sent: true }],
    ['MODEL_UNAVAILABLE', { cause: connectFailure }, { sent: false }],
    ['MODEL_BAD_RESPONSE', {}, { sent: true }],
    ['MODEL_RATE_LIMITED', { retryAfterMs: 5 }, { sent: false, retryAfterMs: 5 }],
  ] as const)(
    'is retried after %s only when no image can have been generated',
    async (code, options, expected) => {
      const generateImage = () => Promise.reject(new HoldfastError(code, 'broken', options));
      const { backEnds } = createBackEnds({ generateImage });
      await expect(
        call('generate_image', { backEnds, config, input: { prompt: 'a boat' } }),
      ).rejects.toMatchObject({
        code,
        ...expected,
      });
    },
  );

  test.each(['MODEL_AUTHENTICATION', 'MODEL_REJECTED_REQUEST', 'CONNECTION_NOT_ACTIVE'] as const)(
    'returns the error %s to the model',
    async (code) => {
      const generateImage = () => Promise.reject(new HoldfastError(code, 'The vendor said no.'));
      const { backEnds } = createBackEnds({ generateImage });
      expect(await call('generate_image', { backEnds, config, input: { prompt: 'a boat' } })).toEqual({
        status: 'failed',
        error: { code, message: 'The vendor said no.' },
      });
    },
  );
});
