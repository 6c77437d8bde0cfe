/**
 * The law of the house: every folder, what it is for, and what it may import. `eslint.config.js` enforces it and
 * `docs/house.md` shows it; a folder without an entry fails the lint.
 *
 * `imports` may be imported as values and types, `types` as types only. A room may always import itself. `packages`
 * are npm packages by name or prefix (`@temporalio/*`); `node` allows the built-ins of Node.
 */
const nouns = [
  'turns',
  'actions',
  'agents',
  'connections',
  'knowledge',
  'audit',
  'workspaces',
  'retention',
  'webhooks',
  'recordings',
  'replays',
  'resources',
  'schedules',
  'routines',
  'credits',
  'swarms',
  'inbox',
  'triggers',
  'imports',
  'files',
];
const kernel = ['domain', 'contract', 'lib'];

/** What every noun may import; `workspaces` says who acts. */
const base = [...kernel, 'db', 'workspaces'];

const noun = (room) => ({ imports: base, node: true, ...room });
const reached = (room) => ({ imports: kernel, node: true, ...room });

export const house = [
  {
    name: 'domain',
    folder: 'src/domain',
    purpose: 'the pure kernel: schemas, types, pure functions, error codes',
    packages: ['zod'],
  },
  {
    name: 'contract',
    folder: 'workflows/contract',
    purpose: 'what workflows and activities promise each other',
    imports: ['domain'],
    packages: ['@temporalio/common'],
  },
  {
    name: 'workflows',
    folder: 'workflows',
    purpose: 'deterministic code that runs in the Temporal sandbox',
    imports: ['domain', 'contract'],
    types: ['activities'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
  },
  {
    name: 'activities',
    folder: 'activities',
    purpose: 'the steps that workflows call, with side effects',
    imports: [...kernel, ...nouns, 'tools', 'rules', 'models'],
    types: ['db'],
    node: true,
    packages: ['@temporalio/activity', 'lru-cache', 'pino', 'zod'],
  },
  noun({
    name: 'turns',
    folder: 'src/turns',
    purpose: 'submit, cancel, wait for, read and follow turns',
    packages: ['pino'],
  }),
  noun({
    name: 'actions',
    folder: 'src/actions',
    purpose: 'what turns wait for: list it, decide it once',
    types: ['turns', 'secrets'],
    packages: ['canonicalize', 'pino'],
  }),
  noun({
    name: 'agents',
    folder: 'src/agents',
    purpose: 'configure and provision agents, their tools, pins and checks',
    imports: [...base, 'connections', 'tools'],
    packages: ['knex', 'zod', 'minisearch', 'p-limit', 'pino'],
  }),
  noun({
    name: 'connections',
    folder: 'src/connections',
    purpose: 'store, authorize, refresh, test and open connections',
    types: ['egress', 'secrets', 'providers', 'mcp'],
    packages: ['knex', 'oauth4webapi', 'pino'],
  }),
  noun({
    name: 'knowledge',
    folder: 'src/knowledge',
    purpose: 'make documents searchable, and search them',
    imports: [...base, 'files'],
    types: ['temporal'],
    packages: ['knex', 'fflate', 'mammoth', 'htmlparser2', 'unpdf', 'p-limit', 'pino'],
  }),
  noun({
    name: 'files',
    folder: 'src/files',
    purpose: 'store uploads as they arrive, find their type, check and read them',
    imports: [...base, 'egress'],
    packages: ['knex', 'file-type', 'image-size', 'lru-cache', 'p-limit', 'unpdf', 'zod'],
  }),
  noun({
    name: 'audit',
    folder: 'src/audit',
    purpose: 'read and verify the audit log',
  }),
  noun({
    name: 'workspaces',
    folder: 'src/workspaces',
    purpose: 'workspaces, their API keys and people, and who acts',
    imports: [...kernel, 'db'],
    packages: ['knex', 'jose', 'oauth4webapi'],
  }),
  noun({
    name: 'retention',
    folder: 'src/retention',
    purpose: 'remove rows that were deleted or are too old, in batches',
  }),
  noun({
    name: 'credits',
    folder: 'src/credits',
    purpose: 'budgets, prices, and what calls have cost',
    packages: ['knex'],
  }),
  noun({
    name: 'webhooks',
    folder: 'src/webhooks',
    purpose: 'configure webhooks, and deliver what they are told',
    imports: [...base, 'egress', 'actions'],
    types: ['secrets', 'providers', 'temporal'],
    packages: ['knex', 'pino'],
  }),
  noun({
    name: 'resources',
    folder: 'src/resources',
    purpose: 'notes, prompts, standards, teams and other things that people and agents keep, and memory',
    imports: [...base, 'agents', 'tools', 'routines'],
    packages: ['knex', 'zod'],
  }),
  noun({
    name: 'inbox',
    folder: 'src/inbox',
    purpose: 'messages of agents to people, to each other and to swarms',
    imports: [...base, 'turns', 'tools'],
    packages: ['knex'],
  }),
  noun({
    name: 'recordings',
    folder: 'src/recordings',
    purpose: 'export turns that are over as lines of JSON, and import them',
    imports: [...base, 'rules'],
  }),
  noun({
    name: 'schedules',
    folder: 'src/schedules',
    purpose: 'start turns, routines and replays at set times',
    packages: ['knex', 'pino'],
  }),
  noun({
    name: 'imports',
    folder: 'src/imports',
    purpose: 'make providers of a workspace from documents of APIs, and find them',
    imports: [...base, 'egress', 'openapi', 'providers', 'tools'],
    packages: ['knex', 'lru-cache'],
  }),
  noun({
    name: 'triggers',
    folder: 'src/triggers',
    purpose: 'let webhooks of vendors start turns and routines',
    imports: [...base, 'turns', 'routines', 'providers'],
    types: ['secrets'],
    packages: ['knex', 'pino'],
  }),
  {
    name: 'recording-formats',
    folder: 'src/recordings/formats',
    purpose: 'read conversations of other programs as recordings',
    imports: kernel,
    node: true,
  },
  {
    name: 'masking',
    folder: 'src/masking',
    purpose: 'replace personal data in recordings, the same value always by the same text',
    imports: kernel,
    packages: ['re2js', 'zod'],
  },
  noun({
    name: 'replays',
    folder: 'src/replays',
    purpose: 'run recorded turns again, and compare the runs',
    imports: [...base, 'statistics'],
    types: ['temporal'],
    packages: ['knex', 'pino', 'canonicalize', 'diff'],
  }),
  noun({
    name: 'routines',
    folder: 'src/routines',
    purpose: 'store, draw, start, control and read routines; evaluate their expressions',
    packages: ['knex', 'pino', 'yaml', 'jq-wasm', '@serverlessworkflow/sdk'],
  }),
  noun({
    name: 'swarms',
    folder: 'src/swarms',
    purpose: 'let several agents work on one goal with shared state',
    imports: [...base, 'turns'],
    types: ['tools'],
    packages: ['pino'],
  }),
  {
    name: 'openapi',
    folder: 'src/openapi',
    purpose: 'read OpenAPI documents: their text, references and parameters',
    imports: kernel,
    node: true,
    packages: ['js-yaml'],
  },
  {
    name: 'tools',
    folder: 'src/tools',
    purpose: 'one record for each tool type; the built-in functions',
    imports: [...kernel, 'rules', 'mcp', 'providers', 'egress', 'functions', 'openapi'],
    types: ['db'],
    node: true,
    packages: ['ajv', 'ajv-formats', 'lru-cache', 'mathjs', 're2js', 'zod', 'pino', 'minisearch', 'p-limit'],
  },
  reached({ name: 'rules', folder: 'src/rules', purpose: 'decide what an agent may do' }),
  reached({
    name: 'models',
    folder: 'src/models',
    purpose: 'one record for each model vendor; model calls, embeddings, images',
    imports: [...kernel, 'egress'],
    packages: ['ai', '@ai-sdk/*', 'zod', 'lru-cache'],
  }),
  reached({
    name: 'mcp',
    folder: 'src/mcp',
    purpose: 'sessions with MCP servers',
    imports: [...kernel, 'egress'],
    packages: ['@modelcontextprotocol/client', 'zod', 'lru-cache'],
  }),
  reached({
    name: 'providers',
    folder: 'src/providers',
    purpose: 'the catalogue of integrations',
    imports: [...kernel, 'egress'],
    packages: ['zod'],
  }),
  reached({
    name: 'buckets',
    folder: 'src/buckets',
    purpose: 'buckets of servers that speak the S3 API',
    packages: ['@aws-sdk/*'],
  }),
  reached({
    name: 'functions',
    folder: 'src/functions',
    purpose: 'how operators write functions, and how they are loaded',
    packages: ['zod'],
  }),
  {
    name: 'code',
    folder: 'src/code',
    purpose: 'agents as code: define, load, compare and write them',
    imports: ['domain', 'lib', 'client', 'functions'],
    node: true,
    packages: ['zod', 'diff'],
  },
  reached({
    name: 'egress',
    folder: 'src/egress',
    purpose: 'the one guarded fetch',
    packages: ['undici', 'ipaddr.js'],
  }),
  reached({
    name: 'secrets',
    folder: 'src/secrets',
    purpose: 'encryption keys, sealing and masking',
  }),
  reached({
    name: 'temporal',
    folder: 'src/temporal',
    purpose: 'connect to Temporal; start, stop and find workflows',
    imports: [...kernel, 'secrets'],
    types: ['workflows'],
    packages: ['@temporalio/*', 'pino'],
  }),
  reached({
    name: 'db',
    folder: 'src/db',
    purpose: 'connect, migrate, and repositories by noun',
    packages: ['knex', 'pg', 'rate-limiter-flexible', 'lru-cache'],
  }),
  {
    name: 'statistics',
    folder: 'src/statistics',
    purpose: 'paired statistics of replays',
    imports: kernel,
    packages: ['cephes', 'pure-rand'],
  },
  {
    name: 'lib',
    folder: 'src/lib',
    purpose: 'small helpers that several rooms need',
    imports: ['domain'],
    node: true,
    packages: ['zod', 'uuid', 'lru-cache'],
  },
  {
    name: 'http-server',
    folder: 'src/http/server',
    purpose: 'fastify, authentication, errors, uploads, OpenAPI',
    imports: ['domain', 'lib'],
    types: ['db'],
    node: true,
    packages: [
      'fastify',
      'fastify-type-provider-zod',
      '@fastify/*',
      '@scalar/fastify-api-reference',
      'knex',
      'pino',
      'zod',
      'openapi-types',
    ],
  },
  {
    name: 'http-rest',
    folder: 'src/http/rest',
    purpose: 'the REST API: routes by noun',
    imports: [...kernel, ...nouns, 'http-server', 'tools', 'db'],
    types: ['providers'],
    node: true,
    packages: ['zod', '@temporalio/common'],
  },
  {
    name: 'http-oauth',
    folder: 'src/http/oauth',
    purpose: 'the page where a browser comes back after consent',
    imports: ['domain', 'lib', 'http-server', 'connections'],
    packages: ['fastify', 'zod'],
  },
  {
    name: 'http-slack',
    folder: 'src/http/slack',
    purpose: 'the route that Slack calls when somebody presses a button',
    imports: ['domain', 'http-server', 'webhooks'],
    packages: ['fastify', 'zod'],
  },
  {
    name: 'http-hooks',
    folder: 'src/http/hooks',
    purpose: 'the URLs to which vendors deliver their webhooks',
    imports: ['domain', 'http-server', 'triggers'],
    packages: ['fastify'],
  },
  {
    name: 'http-login',
    folder: 'src/http/login',
    purpose: 'the pages with which a browser signs in',
    imports: ['domain', 'lib', 'http-server', 'workspaces'],
    node: true,
    packages: ['fastify', 'zod'],
  },
  {
    name: 'http-pages',
    folder: 'src/http/pages',
    purpose: 'the pages on which people decide, opened by a link',
    imports: ['domain', 'lib', 'http-server', 'actions'],
    types: ['db'],
    node: true,
    packages: ['fastify', 'zod'],
  },
  {
    name: 'client',
    folder: 'src/client',
    purpose: 'the client of the HTTP API; runs in a browser',
    packages: ['eventsource-parser'],
  },
  {
    name: 'temporal-client',
    folder: 'src/temporal-client',
    purpose: 'starts turns through a Temporal client, beside the client',
    imports: [...kernel, 'client'],
    node: true,
    packages: ['@temporalio/client', '@temporalio/proto'],
  },
  {
    name: 'handlers',
    folder: 'src/handlers',
    purpose: 'request handlers of applications, on the client',
    imports: ['client'],
    types: ['domain'],
    node: true,
  },
  {
    name: 'cli',
    folder: 'src/cli',
    purpose: 'the terminal program, a client of the API',
    imports: ['domain', 'lib', 'client', 'masking', 'recording-formats', 'code'],
    node: true,
    packages: ['commander', 'zod'],
  },
  {
    name: 'testing',
    folder: 'src/testing',
    purpose: 'start Holdfast with a scripted model, for the tests of projects',
    imports: ['domain', 'lib', 'client', 'code'],
    node: true,
  },
  {
    name: 'create',
    folder: 'src/create',
    purpose: 'npm create holdfast: makes a project from a template',
    node: true,
  },
  { name: 'main', folder: 'src/main', purpose: 'programs and wiring; nobody imports it', isRoot: true },
];

/** The folders as elements of `eslint-plugin-boundaries`; inner folders come before those that hold them. */
export const elements = house
  .toSorted((one, other) => other.folder.length - one.folder.length)
  .map(({ name, folder }) => ({ type: name, pattern: folder }));

/** The law as policies of the rule `boundaries/dependencies`, whose default is to disallow. */
export const policies = house
  .filter(({ isRoot }) => !isRoot)
  .map(({ name, imports = [], types = [], packages = [], node = false }) => {
    const allow = [{ to: { element: { type: [name, ...imports] } } }];
    if (types.length > 0) allow.push({ to: { element: { type: types } }, dependency: { kind: 'type' } });
    if (packages.length > 0) allow.push({ to: { module: { origin: 'external', source: packages } } });
    if (node) allow.push({ to: { module: { origin: 'core' } } });
    return { from: { element: { type: name } }, allow };
  });
