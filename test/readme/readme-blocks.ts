import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface ReadmeBlock {
  language: string;
  /** The name of the file that the block is; undefined for others. */
  file: string | undefined;
  firstLine: string;
  text: string;
}

/** The text of README.md. */
export const readme = readFileSync('README.md', 'utf8');

/** All fenced blocks of a page, in their order. */
export function readBlocks(page = readme): ReadmeBlock[] {
  return [...page.matchAll(/^```(\w*)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language = '', file, text = '']) => ({
      ...{ language, file },
      firstLine: text.split('\n')[0] ?? '',
      text: text.trimEnd(),
    }),
  );
}
