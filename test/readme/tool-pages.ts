import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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

const folder = 'docs/tools';

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

/** All pages whose programs can be run by a test of README.md. */
function readProgramPages(): ToolPage[] {
  const others = [
    'README.md',
    'docs/turns.md',
    'docs/rules.md',
    'docs/approvals.md',
    'docs/agents-as-code.md',
  ];
  return [...readToolPages(), ...others.map(readPage)];
}

/** Writes the files of all pages into a project. */
export function writePageFiles(project: string): void {
  for (const { file, text } of readProgramPages().flatMap(({ blocks }) => blocks)) {
    if (file === undefined) continue;
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), `${text}\n`);
  }
}

/** The commands of a page in their order. */
export function listCommands({ blocks }: ToolPage): PageCommand[] {
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    return [{ command: text, printed: next?.language === 'text' ? next.text : undefined }];
  });
}

/** The Node that this runs on, whatever the machine calls `node`. */
export const pinnedNode = {
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
};
