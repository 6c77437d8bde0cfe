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

/** The pages whose blocks a test proves, each with a proof for the first line of every block. */
type PagesWithProofs<Proof> = readonly (readonly [page: string, proofs: Record<string, Proof>])[];

/** All blocks of those pages; `prove` is undefined for a block that has no proof. */
export function listProvenBlocks<Proof>(pages: PagesWithProofs<Proof>) {
  return pages.flatMap(([page, proofs]) =>
    readBlocks(readFileSync(page, 'utf8')).map((block) => ({
      ...{ page, firstLine: block.firstLine, block },
      prove: proofs[block.firstLine],
    })),
  );
}
