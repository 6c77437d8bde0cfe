/**
 * The architecture: every folder, what it is for, and what it may import. `eslint.config.js` enforces it and
 * `docs/architecture.md` lists the folders; a folder without an entry fails the lint. `console` is a package with rules of its own
 * there: it imports the client, and the words of reports in `src/domain`.
 *
 * `imports` may be imported as values and types, `types` as types only. A folder may always import itself. `packages`
 * are npm packages by name or prefix (`@temporalio/*`); `node` allows the built-in modules of Node.
 */

/** The folders that are no modules. */
export const folders = [
  {
    name: 'domain',
    folder: 'src/domain',
    purpose: 'the kernel that several modules share: schemas, types, pure functions, error codes',
    packages: ['zod'],
  },
  {
    name: 'contract',
    folder: 'src/contract',
    purpose: 'what the workflow of a turn and its activities promise each other',
    imports: ['domain'],
    packages: ['@temporalio/common'],
  },
  {
    name: 'workflows',
    folder: 'workflows',
    purpose:
      'every workflow of turns, in the Temporal sandbox; `index.ts` lists those of modules too, and may import them',
    imports: ['domain', 'contract'],
    types: ['activities'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
  },
  {
    name: 'activities',
    folder: 'activities',
    purpose: 'the steps that execute model and tool calls, with side effects',
    imports: ['domain', 'contract', 'lib', 'activity', 'work', 'tools', 'rules', 'models', 'modules'],
    types: ['database'],
    node: true,
    packages: ['@temporalio/activity', 'lru-cache', 'pino', 'zod'],
  },
  platform('lib', 'small helpers without a subject', { packages: ['zod', 'uuid', 'lru-cache'] }),
  platform('database', 'connect to Postgres, migrate, run transactions and statements', {
    imports: ['lib'],
    packages: ['knex', 'pg', 'rate-limiter-flexible', 'lru-cache'],
  }),
  platform('outbox', 'what a transaction leaves to be done after it: audit events and messages to webhooks', {
    imports: ['lib'],
    types: ['database'],
    packages: ['knex'],
  }),
  platform('work', 'stored work: sweeps, workflows that are stuck, the rights it was stored with', {
    imports: ['contract', 'lib', 'database', 'activity'],
    packages: ['@temporalio/*', 'knex', 'pino'],
  }),
  platform('activity', 'what activities share: failures, deadlines, stops', {
    imports: ['contract', 'lib'],
    types: ['database'],
    packages: ['@temporalio/activity'],
  }),
  platform('http', 'fastify, authentication, errors, uploads, OpenAPI', {
    imports: ['lib'],
    types: ['database'],
    packages: [
      ...['fastify', 'fastify-type-provider-zod', '@fastify/*', '@scalar/fastify-api-reference'],
      ...['knex', 'pino', 'zod', 'openapi-types'],
    ],
  }),
  platform('temporal', 'connect to Temporal; bundle workflows; encrypt payloads', {
    imports: ['contract', 'lib', 'secrets'],
    packages: ['@temporalio/*', 'pino'],
  }),
  platform('module', 'the record of a module', {
    imports: ['http', 'work'],
    types: ['temporal'],
    packages: ['zod', '@temporalio/client'],
  }),
  platform('egress', 'the one guarded fetch', { imports: ['lib'], packages: ['undici', 'ipaddr.js'] }),
  platform('secrets', 'encryption keys, sealing and masking', { imports: ['lib'] }),
  platform('buckets', 'buckets of servers that speak the S3 API', { packages: ['@aws-sdk/*'] }),
  {
    name: 'migrations',
    folder: 'src/migrations',
    purpose: 'the schema of the database, and its changes; read from the folder',
    packages: ['knex'],
  },
  engine('tools', 'one record for each tool type; the built-in functions', {
    imports: ['contract', 'lib', 'rules', 'mcp', 'egress', 'functions', 'openapi'],
    types: ['providers'],
    packages: [
      ...['ajv', 'ajv-formats', 'lru-cache', 'mathjs', 're2js', 'zod', 'pino', 'minisearch', 'p-limit'],
    ],
  }),
  engine('models', 'one record for each model vendor; model calls, embeddings, images', {
    imports: ['lib', 'egress'],
    packages: ['ai', '@ai-sdk/*', 'eventsource-parser', 'zod', 'lru-cache'],
  }),
  engine('mcp', 'sessions with MCP servers', {
    imports: ['lib', 'egress'],
    packages: ['@modelcontextprotocol/client', 'zod', 'lru-cache'],
  }),
  engine('rules', 'decide what an agent may do'),
  engine('providers', 'run operations of the catalogue of integrations', {
    imports: ['lib', 'egress'],
    packages: ['zod'],
  }),
  {
    name: 'catalogue',
    folder: 'providers',
    purpose: 'the catalogue: one record for each provider, read when a connection needs it',
    imports: ['domain', 'providers'],
    packages: ['zod'],
    node: true,
  },
  engine('functions', 'how operators write functions, and how they are loaded', { packages: ['zod'] }),
  engine('statistics', 'paired statistics of replays', { packages: ['cephes', 'pure-rand'], node: false }),
  engine('masking', 'replace personal data in recordings, the same value always by the same text', {
    packages: ['re2js', 'zod'],
    node: false,
  }),
  engine('openapi', 'read OpenAPI documents: their text, references, parameters and operations', {
    packages: ['js-yaml'],
    node: false,
  }),
  engine('recording-formats', 'read conversations of other programs as recordings'),
  client('client', 'the client of the HTTP API; runs in a browser', {
    imports: [],
    packages: ['eventsource-parser'],
    node: false,
  }),
  client('temporal-client', 'starts turns through a Temporal client, beside the client', {
    imports: ['domain', 'contract', 'lib', 'client'],
    packages: ['@temporalio/client', '@temporalio/proto'],
  }),
  client('handlers', 'request handlers of applications, on the client', {
    imports: ['client'],
    types: ['domain'],
  }),
  client('cli', 'what the commands of the terminal program share', {
    imports: ['domain', 'lib', 'client', 'code', 'masking'],
    packages: ['commander', 'zod'],
  }),
  client('code', 'agents as code: define, load, compare and write them', {
    imports: ['domain', 'client', 'functions'],
    packages: ['zod', 'diff'],
  }),
  client('testing', 'start Holdfast with a scripted model, for the tests of projects', {
    imports: ['domain', 'lib', 'client', 'code'],
  }),
  client('create', 'npm create holdfast: makes a project from a template', { imports: [] }),
  {
    name: 'main',
    folder: 'src/main',
    purpose: 'the lists of modules, programs and wiring; nobody imports it',
    isRoot: true,
  },
];

/**
 * The modules: everything of one noun. `needs` are modules whose use cases, types and SQL it may import; its own folder
 * is never among those of the modules that it needs, however far. `reads` are needed modules whose repositories it may
 * use too, inside its own transactions.
 */
export const modules = [
  {
    name: 'turns',
    purpose: 'submit, cancel, wait for, read and follow turns; their ledger and conversations',
    needs: ['credits', 'actions', 'workspaces', 'agents', 'files'],
    reads: ['actions', 'workspaces'],
    imports: ['work', 'tools', 'recording-formats', 'temporal'],
  },
  {
    name: 'actions',
    purpose: 'what turns wait for: list it, decide it once',
    needs: ['workspaces'],
    reads: ['workspaces'],
    imports: ['work'],
    types: ['secrets'],
    packages: ['canonicalize'],
  },
  {
    name: 'agents',
    purpose: 'configure and provision agents, their tools, pins and checks',
    needs: ['connections', 'credits', 'knowledge', 'skills'],
    reads: ['connections', 'credits', 'knowledge'],
    imports: ['tools', 'models'],
    types: ['mcp'],
    packages: ['minisearch', 'p-limit'],
  },
  {
    name: 'connections',
    purpose: 'store, authorize, refresh, test and open connections',
    types: ['egress', 'secrets', 'providers', 'mcp'],
    packages: ['oauth4webapi'],
  },
  {
    name: 'knowledge',
    purpose: 'make documents searchable, and search them',
    needs: ['files', 'connections'],
    reads: ['files', 'connections'],
    imports: ['work', 'models'],
    types: ['temporal'],
    packages: ['fflate', 'mammoth', 'htmlparser2', 'unpdf', 'p-limit'],
  },
  {
    name: 'files',
    purpose: 'store uploads as they arrive, find their type, check and read them',
    needs: ['workspaces'],
    imports: ['egress'],
    packages: ['file-type', 'image-size', 'lru-cache', 'p-limit', 'unpdf'],
  },
  {
    name: 'routines',
    purpose: 'store, draw, start, control and read routines; interpret them',
    needs: ['workspaces', 'turns', 'connections', 'actions', 'credits'],
    reads: ['turns', 'connections', 'actions'],
    imports: ['work', 'tools', 'providers', 'openapi'],
    types: ['rules'],
    packages: ['yaml', 'jq-wasm', '@serverlessworkflow/sdk'],
  },
  {
    name: 'swarms',
    purpose: 'let several agents work on one goal with shared state',
    needs: ['credits', 'workspaces', 'turns'],
    reads: ['credits', 'turns'],
    imports: ['work'],
    types: ['tools'],
  },
  {
    name: 'schedules',
    purpose: 'start turns, routines and replays at set times',
    needs: ['workspaces', 'turns'],
    imports: ['work'],
  },
  {
    name: 'triggers',
    purpose: 'let webhooks of vendors start turns and routines',
    needs: ['workspaces', 'routines', 'turns'],
    imports: ['work', 'providers'],
    types: ['secrets'],
  },
  {
    name: 'webhooks',
    purpose: 'configure webhooks, and deliver what happens to them',
    needs: ['actions', 'connections', 'workspaces'],
    reads: ['actions', 'connections'],
    imports: ['work', 'egress'],
    types: ['secrets', 'providers', 'temporal'],
  },
  {
    name: 'replays',
    purpose: 'run recorded turns again, and compare the runs',
    needs: ['turns', 'credits'],
    reads: ['credits'],
    imports: ['work', 'statistics'],
    types: ['temporal'],
    packages: ['canonicalize', 'diff'],
  },
  {
    name: 'recordings',
    purpose: 'export turns that are over as lines of JSON, and import them',
    needs: ['turns', 'credits', 'files'],
    reads: ['turns'],
    imports: ['rules'],
  },
  {
    name: 'resources',
    purpose: 'notes, prompts, standards, teams and other things that people and agents keep, and memory',
    needs: ['agents', 'turns', 'workspaces', 'routines'],
    reads: ['agents'],
    imports: ['tools'],
  },
  {
    name: 'skills',
    purpose: 'import skills in the open format, keep their versions, and give them to agents',
    needs: ['files'],
    imports: ['work'],
    packages: ['yaml'],
  },
  {
    name: 'changes',
    purpose: 'notes of what changes in a workspace, as one stream',
    needs: ['turns'],
    imports: ['work'],
  },
  {
    name: 'inbox',
    purpose: 'messages of agents to people, to each other and to swarms',
    needs: ['turns'],
    imports: ['tools'],
  },
  {
    name: 'credits',
    purpose: 'budgets, prices, and what calls have cost',
    needs: ['audit'],
    imports: ['work'],
  },
  { name: 'audit', purpose: 'read and verify the audit log' },
  {
    name: 'workspaces',
    purpose: 'workspaces, their API keys and people, and who acts',
    imports: ['work'],
    packages: ['jose', 'oauth4webapi'],
  },
  {
    name: 'retention',
    purpose: 'remove rows that were deleted or are too old, in batches',
    needs: ['files'],
    types: ['module'],
  },
  {
    name: 'imports',
    purpose: 'make providers of a workspace from documents of APIs, and find them',
    needs: ['connections'],
    imports: ['egress', 'openapi', 'providers', 'tools'],
    packages: ['lru-cache'],
  },
];

/**
 * The parts of a module, told apart by the suffix of their files. `own` are the parts of the same module that one may
 * import. A part with `isInner` is not for other modules. A part with `alone` imports what stands here; the others also
 * import what their module may.
 */
export const parts = [
  {
    name: 'workflow',
    patterns: ['*-workflow.ts', 'interpreter/**/*.ts'],
    purpose: 'deterministic code in the Temporal sandbox',
    own: ['contract', 'workflow'],
    ownTypes: ['use case'],
    imports: ['domain', 'contract', 'workflows'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    isInner: true,
    alone: true,
  },
  {
    name: 'contract',
    patterns: ['*-contract.ts'],
    purpose: 'what the workflow of the module and its activities promise each other',
    own: ['contract'],
    ownTypes: ['use case'],
    imports: ['domain', 'contract'],
    packages: ['@temporalio/common'],
    alone: true,
  },
  {
    name: 'commands',
    patterns: ['*-commands.ts', 'commands/*.ts'],
    purpose: 'commands of the terminal program, on the client',
    own: ['commands', 'use case'],
    imports: ['domain', 'lib', 'client', 'cli', 'code', 'recording-formats'],
    packages: ['commander'],
    node: true,
    isInner: true,
    alone: true,
  },
  {
    name: 'routes',
    patterns: ['*-routes.ts', '*-http-answer.ts'],
    purpose: 'endpoints of the REST API and pages',
    own: ['routes', 'contract', 'dependencies', 'repository', 'use case'],
    imports: ['http'],
    packages: ['fastify'],
    isInner: true,
  },
  {
    name: 'engine',
    patterns: ['*-engine.ts'],
    purpose: 'calls to Temporal; tests replace them',
    own: ['contract', 'dependencies', 'use case'],
    ownTypes: ['workflow'],
    imports: ['work', 'temporal'],
    packages: ['@temporalio/client', '@temporalio/common', '@temporalio/proto'],
    isInner: true,
  },
  {
    name: 'activities',
    patterns: ['*-activities.ts', '*-sweep.ts'],
    purpose: 'activities and sweeps',
    own: ['contract', 'dependencies', 'repository', 'activities', 'use case'],
    imports: ['activity', 'work'],
    packages: ['@temporalio/activity'],
    isInner: true,
  },
  {
    name: 'module',
    patterns: ['module.ts'],
    purpose: 'the record of the module, which everything else is derived from',
    own: ['routes', 'engine', 'activities', 'repository', 'contract', 'dependencies', 'use case'],
    imports: ['module', 'temporal', 'work'],
    packages: ['@temporalio/client'],
    isInner: true,
  },
  {
    name: 'repository',
    patterns: ['*-repository.ts'],
    purpose: 'reads and writes tables',
    own: ['repository', 'contract', 'use case'],
    imports: ['work'],
  },
  {
    name: 'dependencies',
    patterns: ['*-dependencies.ts'],
    purpose: 'what use cases need from outside',
    own: ['dependencies', 'contract', 'repository', 'use case'],
  },
  {
    name: 'use case',
    patterns: ['**/*.ts'],
    purpose: 'types, schemas, use cases and the SQL that several repositories share',
    own: ['use case', 'contract', 'dependencies', 'repository', 'activities'],
  },
];

/** Every module may import these. */
const base = ['domain', 'contract', 'lib', 'database', 'outbox', 'activity'];
const basePackages = ['zod', 'pino', 'knex'];

function platform(name, purpose, more = {}) {
  const { imports = [], ...rest } = more;
  return {
    name,
    folder: `src/platform/${name}`,
    purpose,
    imports: ['domain', ...imports],
    node: true,
    ...rest,
  };
}

function engine(name, purpose, more = {}) {
  const { imports = [], ...rest } = more;
  return {
    name,
    folder: `src/engines/${name}`,
    purpose,
    imports: ['domain', ...imports],
    node: true,
    ...rest,
  };
}

function client(name, purpose, more = {}) {
  return { name, folder: `src/clients/${name}`, purpose, node: true, ...more };
}

/** The folders as elements of `eslint-plugin-boundaries`; inner ones come before those that hold them. */
export const elements = [
  { type: 'modules', pattern: 'src/modules/*', capture: ['module'] },
  ...folders
    .toSorted((one, other) => other.folder.length - one.folder.length)
    // The whole path counts: `src/engines/providers` ends like `providers`.
    .map(({ name, folder }) => ({ type: name, pattern: folder, partialMatch: false })),
];

/** The parts of modules as categories of files: the first that matches counts. */
export const categories = parts.flatMap(({ name, patterns }) =>
  patterns.map((pattern) => ({ category: name, pattern: `src/modules/*/**/${pattern}` })),
);

const to = (types) => ({ to: { element: { type: types } } });
const toTypes = (types) => ({ ...to(types), dependency: { kind: 'type' } });
const toPackages = (source) => ({ to: { module: { origin: 'external', source } } });
const toNode = { to: { module: { origin: 'core' } } };
const toModule = (module, category) => ({
  to: { element: { type: 'modules', captured: { module } }, file: { categories: category } },
});
const outer = parts.filter(({ isInner }) => !isInner).map(({ name }) => name);
const flexible = parts.filter(({ alone }) => !alone).map(({ name }) => name);

const toAllowed = ({ imports = [], types = [], packages = [], node = false }) => [
  ...(imports.length > 0 ? [to(imports)] : []),
  ...(types.length > 0 ? [toTypes(types)] : []),
  ...(packages.length > 0 ? [toPackages(packages)] : []),
  ...(node ? [toNode] : []),
];

const toFolderPolicy = (folder) => ({
  from: { element: { type: folder.name } },
  allow: [to([folder.name]), ...toAllowed(folder)],
});

const toPartPolicy = ({ name, own, ownTypes = [], ...part }) => ({
  from: { element: { type: 'modules' }, file: { categories: name } },
  allow: [
    ...own.map((category) => toModule('{{ from.element.captured.module }}', category)),
    ...ownTypes.map((category) => ({
      ...toModule('{{ from.element.captured.module }}', category),
      dependency: { kind: 'type' },
    })),
    ...toAllowed(part),
  ],
});

const toModulePolicy = ({ name, needs = [], reads = [], imports = [], types, packages = [] }) => ({
  from: { element: { type: 'modules', captured: { module: name } }, file: { categories: flexible } },
  allow: [
    ...toAllowed({
      imports: [...base, ...imports],
      types,
      packages: [...basePackages, ...packages],
      node: true,
    }),
    ...needs.flatMap((needed) =>
      outer.filter((part) => part !== 'repository').map((part) => toModule(needed, part)),
    ),
    ...reads.map((read) => toModule(read, 'repository')),
  ],
});

/**
 * The architecture as policies of the rule `boundaries/dependencies`, whose default is to disallow. Each folder has
 * those of its own files: the rule compares every import with every policy that it is given. Inner folders come after
 * those that hold them, since the last entry that matches a file counts.
 */
export const policies = [
  ...modules.map((module) => ({
    folder: `src/modules/${module.name}`,
    policies: [...parts.map(toPartPolicy), toModulePolicy(module)],
  })),
  ...folders
    .filter(({ isRoot }) => !isRoot)
    .map((folder) => ({ folder: folder.folder, policies: [toFolderPolicy(folder)] })),
].toSorted((one, other) => one.folder.length - other.folder.length);
