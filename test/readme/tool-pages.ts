import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTyped } from '../labs/typed-command.ts';

/** A fenced block of a page; one with a file's name after its language is that file. */
interface PageBlock {
  language: string;
  file: string | undefined;
  text: string;
}

/** A page about one type of tool. */
export interface ToolPage {
  name: string;
  text: string;
  blocks: PageBlock[];
}

/** A command of a page, and what the page says that it prints, if it says so. */
export interface PageCommand {
  command: string;
  printed: string | undefined;
}

/** The steps that come before an example, on each page and in README.md. The tests build the package once. */
export const exampleSteps = 'npm run build\nexport HOLDFAST_API_KEY="$(cat .holdfast/development-key)"';

const folder = 'docs/tools';
const nodeModules = path.resolve('node_modules');

/** All pages about tools. */
export function readToolPages(): ToolPage[] {
  return readdirSync(folder).map((file) => readPage(path.join(folder, file)));
}

/** Reads a page with its blocks. */
export function readPage(file: string): ToolPage {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language = '', name, content = '']) => ({ language, file: name, text: content.trimEnd() }),
  );
  return { name: path.basename(file, '.md'), text, blocks };
}

/** All pages whose programs can be run: those about tools, "Ask before you act" and "Agents as code". */
function readProgramPages(): ToolPage[] {
  return [...readToolPages(), readPage('docs/approvals.md'), readPage('docs/agents-as-code.md')];
}

/** Writes the files of all pages into a project, changed by `adapt`. */
export function writePageFiles(project: string, adapt: (text: string) => string): void {
  for (const { file, text } of readProgramPages().flatMap(({ blocks }) => blocks)) {
    if (file === undefined) continue;
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), `${adapt(text)}\n`);
  }
}

/** Type-checks every program of the pages as strictly as TypeScript can. */
export async function checkPagePrograms(project: string): Promise<void> {
  const files = readProgramPages()
    .flatMap(({ blocks }) => blocks)
    .flatMap(({ file }) => (file?.endsWith('.ts') === true ? [file] : []));
  await checkPrograms(project, files);
}

/** Type-checks programs of a project as strictly as TypeScript can. */
export async function checkPrograms(project: string, files: string[]): Promise<void> {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', types: ['node'], skipLibCheck: true },
    allowImportingTsExtensions: true,
    ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  };
  writeFileSync(path.join(project, 'tsconfig.pages.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = path.join(nodeModules, 'typescript', 'bin', 'tsc');
  await runTyped(`'${process.execPath}' '${compiler}' -p tsconfig.pages.json`, { cwd: project });
}

/** The commands of a page in their order. */
export function listCommands({ blocks }: ToolPage): PageCommand[] {
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh' || text === exampleSteps) return [];
    const next = blocks[index + 1];
    return [{ command: text, printed: next?.language === 'text' ? next.text : undefined }];
  });
}
