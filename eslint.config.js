import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { categories, elements, policies } from './architecture.config.js';

const sizes = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 3],
};

/** The options of `boundaries/dependencies`: an import that no policy allows is refused, also one of a package. */
const imports = {
  default: 'disallow',
  checkAllOrigins: true,
  checkUnknownLocals: true,
  checkInternals: true,
};

export default tseslint.config(
  {
    ignores: [
      ...['node_modules', '**/dist', '.holdfast', 'test/histories', 'test/fixtures/compose'],
      ...['src/clients/client/generated', 'src/clients/cli/generated'],
      ...['src/clients/create/template', 'examples'],
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...sizes,
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export it by its name.' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    files: ['workflows/**/*.ts', 'src/domain/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export it by its name.' },
        {
          selector: ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind="let"]',
          message: 'All workflows of a worker share the modules, so a module keeps no state.',
        },
      ],
    },
  },
  {
    files: ['scripts/**/*.mjs', 'bench/**/*.mjs', '*.config.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        ReadableStream: 'readonly',
      },
    },
  },
  {
    files: ['src/**/*.ts', 'providers/**/*.ts', 'workflows/**/*.ts', 'activities/**/*.ts'],
    ignores: ['src/main/**', 'providers/test/**', 'workflows/index.ts'],
    plugins: { boundaries },
    settings: {
      'boundaries/elements': elements,
      'boundaries/files': categories,
      'boundaries/files-single-match': true,
      // No policy has templates of the older kind, for which the plugin prepares data at each comparison.
      'boundaries/legacy-templates': false,
      'import/resolver': { typescript: true, node: true },
    },
    rules: {
      'boundaries/no-unknown-files': 'error',
      'boundaries/dependencies': ['error', { ...imports, policies: [] }],
    },
  },
  ...policies.map(({ folder, policies: ofFolder }) => ({
    files: [`${folder}/**/*.ts`],
    ignores: ['providers/test/**', 'workflows/index.ts'],
    rules: { 'boundaries/dependencies': ['error', { ...imports, policies: ofFolder }] },
  })),
  {
    files: ['console/src/**'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      // The compiler of React, for which this rule is, is not used.
      'react-hooks/incompatible-library': 'off',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/src/clients/|/src/(domain|modules|platform|engines)/',
              message: 'Import it from console/src/api.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['console/src/api/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/src/(?!clients/client/index\\.ts$|domain/replay-(?:report|words|verdict-words)\\.ts$)',
              message: 'The console uses the client, and the words of reports.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['console/src/screens/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '/src/', message: 'Import it from console/src/api.' },
            {
              regex: '^\\.\\./(?!\\.\\.)',
              message: 'Screens do not import each other. Put what they share into ui or live.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**', 'providers/test/**', 'bench/**', '*.config.ts', 'src/main/dev/**'],
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-syntax': 'off',
      // Vitest reads the names of fixtures from the pattern of the first parameter.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
    },
  },
);
