import { readFileSync } from 'node:fs';

/** A fenced block of README.md. */
export interface ReadmeBlock {
  language: string;
  firstLine: string;
  text: string;
}

/** The text of README.md. */
export const readme = readFileSync('README.md', 'utf8');

/** All fenced blocks of README.md, in their order. */
export function readBlocks(): ReadmeBlock[] {
  return [...readme.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    firstLine: text.split('\n')[0] ?? '',
    text: text.trimEnd(),
  }));
}
