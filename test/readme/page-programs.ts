import { globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTyped } from '../labs/typed-command.ts';
import { readPage } from './tool-pages.ts';

/** A TypeScript file; `file` is its path in the folder of its page. */
interface PageProgram {
  page: string;
  file: string;
  text: string;
}

/** The packages beside Holdfast that programs of the pages import. */
const packages = ['@types', '@temporalio', '@hono', 'express', 'fastify', 'hono', 'standardwebhooks', 'zod'];

const nodeModules = path.resolve('node_modules');

/** The port of docs/handlers.md, which another program of the machine may use. */
export const handlersPort = '4501';

/** Stands for Next, which calls the functions of the route files of docs/handlers.md with a `Request`. */
export const nextServer = {
  file: 'next.ts',
  text: `import { serve } from '@hono/node-server';
import { GET, POST } from './app/chat/route.ts';
import { POST as hooks } from './app/hooks/route.ts';

const routes: Record<string, (request: Request) => Promise<Response>> = {
  'GET /chat': GET, 'POST /chat': POST, 'POST /hooks': hooks,
};
const fetch = (request: Request) => {
  const route = routes[\`\${request.method} \${new URL(request.url).pathname}\`];
  return route ? route(request) : new Response(null, { status: 404 });
};
serve({ fetch, port: ${handlersPort} });`,
};

/** A function whose `run` uses its input and its secrets in two wrong ways, which the types have to refuse. */
export const greetFunction = [
  "import { defineFunction, ToolFailure, z } from 'holdfast/functions';",
  'export const greet = defineFunction({',
  "  name: 'greet', description: 'Greets.', secrets: ['GREETING'],",
  "  input: z.object({ name: z.string().default('you') }),",
  '  run: ({ input, secrets }) => {',
  '    // @ts-expect-error The type of the input is known: a name is no number.',
  '    const wrong: number = input.name;',
  '    // @ts-expect-error And so are the secrets.',
  '    if (secrets.OTHER) throw new ToolFailure(`${wrong}`);',
  '    return `${secrets.GREETING} ${input.name}`;',
  '  },',
  '});',
].join('\n');

/** Lines after a program of docs/turns.md that fail to compile when the package brings no types. */
const wrongOutcome = [
  '// @ts-expect-error The types of the package are there: an outcome is no number.',
  'const wrong: number | null = outcome;',
  'console.log(wrong);',
].join('\n');

/** All TypeScript files of README.md and of the pages in `docs`, and the programs of the tests around them. */
function listPagePrograms(): PageProgram[] {
  const pages = ['README.md', ...globSync('docs/{*,tools/*}.md')].sort();
  const programs = pages.flatMap((page) =>
    readPage(page).blocks.flatMap(({ file, text }) =>
      file?.endsWith('.ts') === true ? [{ page, file, text }] : [],
    ),
  );
  const ofTurns = programs.flatMap(({ page, file, text }) =>
    page === 'docs/turns.md' ? [{ page, file: `wrong-${file}`, text: `${text}\n${wrongOutcome}` }] : [],
  );
  const greet = { page: 'docs/tools/function.md', file: 'functions/greet.ts', text: greetFunction };
  return [...programs, ...ofTurns, greet, { page: 'docs/handlers.md', ...nextServer }];
}

/**
 * Type-checks the programs of all pages in one run of the compiler, as strictly as TypeScript can, and returns their names. Each
 * page has a folder in `pages` of the project, whose package `holdfast` they import. @throws Error with the errors of the compiler
 */
export async function checkPagePrograms(project: string): Promise<string[]> {
  const folder = path.join(project, 'pages');
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  for (const name of packages)
    symlinkSync(path.join(nodeModules, name), path.join(folder, 'node_modules', name));
  const files = listPagePrograms().map(({ page, file, text }) => {
    const name = path.join(page.replace(/\.md$/, ''), file);
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), `${text}\n`);
    return name;
  });
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', types: ['node'], skipLibCheck: true },
    allowImportingTsExtensions: true,
    ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = path.join(nodeModules, 'typescript', 'bin', 'tsc');
  await runTyped(`'${process.execPath}' '${compiler}' -p tsconfig.json`, { cwd: folder });
  return files;
}
