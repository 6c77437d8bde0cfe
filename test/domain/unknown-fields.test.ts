import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseMcpCatalogue } from '../../src/engines/mcp/mcp-catalogue.ts';
import { parseMaskingRules } from '../../src/engines/masking/masking-rules.ts';
import { checkRoutineDocument } from '../../src/modules/routines/documents/check-document.ts';
import { parseWorkflowCatalogue } from '../../src/engines/tools/workflow-catalogue.ts';
import { defineAgent, functionTool } from '../../src/clients/code/index.ts';
import { defineFunction, z } from '../../src/engines/functions/index.ts';

/** A way in for objects that people write: an object that is accepted, and the function that reads it. */
interface WayIn {
  name: string;
  accepted: object;
  read: (value: never) => unknown;
  /** Objects that take any field, as paths. */
  open?: RegExp;
}

const waysIn: WayIn[] = [
  {
    name: 'the MCP catalogue',
    accepted: {
      mcpServers: { disk: { command: '/bin/sh', env: { A: 'b' } }, web: { url: 'https://example.com' } },
    },
    read: (value) => parseMcpCatalogue(JSON.stringify(value), { path: '/etc/mcp.json', env: {} }),
    // Names of servers, of variables and of headers.
    open: /^mcpServers(\.disk\.env)?$/,
  },
  {
    name: 'the workflow catalogue',
    accepted: {
      workflows: { refund: { workflowType: 'refund', taskQueue: 'queue', input: { type: 'object' } } },
    },
    read: (value) => parseWorkflowCatalogue(JSON.stringify(value), '/etc/workflows.json'),
    // Names of workflows, and JSON Schema.
    open: /^workflows(\.refund\.input)?$/,
  },
  {
    name: 'rules of masking',
    accepted: {
      paths: [{ path: 'message.text', name: 'text' }],
      patterns: [{ name: 'order', pattern: 'o-1' }],
    },
    read: parseMaskingRules,
  },
  {
    name: 'the definition of a function',
    accepted: { name: 'a', description: 'A.', input: z.strictObject({}), run: () => '', effect: 'keyed' },
    read: defineFunction,
    open: /^input/,
  },
  {
    name: 'the definition of an agent',
    accepted: {
      ...{ name: 'A', model: 'demo', instructions: '', fallbackModels: [{ model: 'demo' }] },
      ...{ limits: { maxIterations: 3 }, modelSettings: { temperature: 0 } },
      rules: { toolPolicies: { a: { minimums: { b: 1 } } } },
    },
    read: defineAgent,
    open: /^rules\.toolPolicies(\.a\.minimums)?$/,
  },
  {
    name: 'the options of a tool',
    accepted: { settings: { approval: 'ask' }, input: { type: 'object' } },
    read: (value) => functionTool('calculate', value),
    open: /^input$/,
  },
  {
    name: 'a routine',
    accepted: {
      document: { dsl: '1.0.0', namespace: 'a', name: 'b', version: '1.0.0' },
      timeout: { after: { minutes: 5 } },
      do: [
        { get: { call: 'http', with: { method: 'get', endpoint: { uri: 'https://example.com' } } } },
        {
          safely: {
            try: [{ set: { set: { a: 1 } } }],
            catch: { errors: { with: { status: 500 } }, retry: { limit: { attempt: { count: 2 } } } },
          },
        },
      ],
    },
    read: checkRoutineDocument,
    open: /\.set\.set$/,
  },
];

/** Yields the path of each object in a value. */
function* listObjects(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield path;
  for (const [name, part] of Object.entries(value)) yield* listObjects(part, [...path, name]);
}

/** Copies a value with one more field in the object at a path. */
function withUnknown(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return { ...(value as object), unknownByAll: 1 };
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? withUnknown(item, rest) : (item as unknown)));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: withUnknown(object[name], rest) };
}

describe.each(waysIn)('$name', ({ accepted, read, open }) => {
  test('is accepted without the unknown field', async () => {
    await Promise.resolve(read(accepted as never));
  });

  const places = [...listObjects(accepted)].filter((path) => !open?.test(path.join('.')));
  test.each(places.map((path) => [path.join('.'), path] as const))(
    'refuses an unknown field in "%s"',
    async (_name, path) => {
      const changed = withUnknown(accepted, path);
      const reading = Promise.resolve(changed as never).then(read);
      await expect(reading).rejects.toThrow();
    },
  );
});

/** The files that check by a schema without `checkInput`, by what they check. */
const others = new Map([
  // Lines that programs of other versions may have written.
  ['src/modules/recordings/parse-recording.ts', 'recordings'],
  ['src/modules/recordings/to-imported-version.ts', 'recordings'],
  // Requests of vendors and of browsers.
  ['src/modules/workspaces/login/login-routes.ts', 'browsers that come back from a provider'],
  ['src/modules/connections/oauth/oauth-callback-routes.ts', 'vendors'],
  ['src/modules/webhooks/slack/slack-interaction-routes.ts', 'vendors'],
  ['src/modules/actions/pages/action-page-routes.ts', 'forms of its own pages'],
  ['src/engines/mcp/elicitation.ts', 'MCP servers'],
  ['src/modules/workspaces/people/authenticate-person.ts', 'claims of identity providers'],
  // Arguments that models write: their JSON Schema is closed.
  ['src/engines/functions/define-function.ts', 'arguments'],
  ['src/engines/tools/functions/define-core-function.ts', 'arguments'],
  ['src/engines/tools/functions/read-skills.ts', 'arguments'],
  ['src/engines/tools/functions/read-tool-result.ts', 'arguments'],
  // Options of the command line, which commander refuses, and variables of the environment.
  ['src/main/key-commands.ts', 'options'],
  ['src/main/history-commands.ts', 'options'],
  ['src/platform/lib/parse-environment.ts', 'environment'],
  // Files and fields that Holdfast has written or has checked.
  ['src/main/dev/ports.ts', 'own files'],
  ['src/main/running.ts', 'own files'],
  ['src/modules/resources/kinds/project.ts', 'checked fields'],
  ['src/domain/budget.ts', 'checked fields'],
  ['src/domain/check-input.ts', 'itself'],
]);

test('all other files check what people write with checkInput, which names unknown fields', () => {
  const files = ['src', 'activities', 'workflows'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const checking = files.filter(
    (file) => file.endsWith('.ts') && /\.safeParse(Async)?\(/.test(readFileSync(file, 'utf8')),
  );
  expect(checking.toSorted()).toEqual([...others.keys()].toSorted());
});
