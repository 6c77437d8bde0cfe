import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const sizes = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 3],
};

/** Who may not import what, one entry a room: the table of the design, as lint errors. */
function forbid(files, groups, message) {
  return {
    files,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: groups.map((group) =>
            Array.isArray(group) ? { group, message } : { ...group, message },
          ),
        },
      ],
    },
  };
}

const rooms = [
  'db',
  'mcp',
  'models',
  'providers',
  'knowledge',
  'secrets',
  'connections',
  'rules',
  'functions',
];
const roots = ['**/api.ts', '**/worker.ts', '**/dev.ts'];
const edges = ['**/http/**', '**/cli/**', '**/console/**', ...roots];

/** Rooms whose types a room may know: what is kept comes to it as a dependency. */
const typesOf = { connections: ['db', 'secrets', 'providers'], knowledge: ['db'] };

function othersThan(room) {
  const known = typesOf[room] ?? [];
  return rooms
    .filter((other) => other !== room)
    .map((other) => ({ group: [`**/${other}/**`], allowTypeImports: known.includes(other) }));
}

export default tseslint.config(
  { ignores: ['node_modules', 'dist', '.holdfast', 'test/histories', 'test/fixtures'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver': { typescript: true, node: true }, 'import-x/extensions': ['.ts'] },
    rules: {
      ...sizes,
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    files: ['scripts/**/*.mjs', 'eslint.config.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', setTimeout: 'readonly' } },
  },
  forbid(['src/domain/**'], [{ regex: '^(?!zod$|\\./)' }], 'domain imports zod and its own files only'),
  forbid(
    ['workflows/**'],
    [
      { regex: '/activities/(?!.*)' },
      { regex: '(^|/)activities/', allowTypeImports: true },
      { regex: '(^|/)src/(?!domain/)' },
      { regex: '^node:' },
      { regex: '^@temporalio/(?!workflow$|common$)' },
      { regex: '^(zod|knex|pg|fastify|ai|undici|pino)($|/)' },
      { regex: '^@(modelcontextprotocol|ai-sdk|fastify)/' },
    ],
    'workflows are deterministic: domain functions, @temporalio/workflow and types only',
  ),
  ...rooms.map((room) =>
    forbid(
      [`src/${room}/**`],
      [...othersThan(room), { group: ['**/tools/**', '**/activities/**', '**/workflows/**', ...edges] }],
      `${room} imports domain and its own library only`,
    ),
  ),
  forbid(
    ['src/tools/**'],
    [
      ['**/models/**', '**/activities/**', '**/workflows/**', ...edges],
      { regex: '/db/', allowTypeImports: true },
    ],
    'tools import domain, mcp, providers, knowledge; repositories as types',
  ),
  forbid(
    ['activities/**'],
    [
      [
        ...['mcp', 'providers', 'knowledge', 'secrets', 'connections'].map((room) => `**/${room}/**`),
        '**/workflows/**',
        ...edges,
      ],
      { regex: '/db/', allowTypeImports: true },
    ],
    'activities import domain, tools and models; repositories through their dependencies',
  ),
  forbid(
    ['src/http/**'],
    [
      [
        '**/mcp/**',
        '**/models/**',
        '**/knowledge/**',
        '**/secrets/**',
        '**/connections/**',
        '**/activities/**',
        '**/cli/**',
        '**/console/**',
        ...roots,
      ],
      { regex: '/workflows/(?!messages)', allowTypeImports: true },
    ],
    'http imports domain, repositories, the provider catalogue, workflow messages and the client',
  ),
  forbid(
    ['src/cli/**', 'src/console/**'],
    [
      [
        ...rooms.map((room) => `**/${room}/**`),
        '**/tools/**',
        '**/http/**',
        '**/activities/**',
        '**/workflows/**',
        ...roots,
      ],
    ],
    'cli and console are clients of the HTTP contract only',
  ),
  {
    files: ['test/**', 'bench/**', '*.config.ts', 'src/dev/**'],
    rules: { 'max-lines-per-function': 'off', 'import-x/no-default-export': 'off' },
  },
);
