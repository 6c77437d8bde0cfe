import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Returns the links of all pages of a folder that lead to no file in it, and to no heading of a page. */
export function listDeadLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.md') && !file.includes('node_modules'),
  );
  return pages.flatMap((page) => {
    const text = readFileSync(path.join(folder, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
    const links = [...text.matchAll(/\]\(((?!https?:)[^)\s]+)\)/g)].map(([, link = '']) => link);
    return links.filter((link) => !leads(path.join(folder, page), link)).map((link) => `${page}: ${link}`);
  });
}

function leads(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(target)) return false;
  return anchor === undefined || statSync(target).isDirectory() || listAnchors(target).includes(anchor);
}

/** The anchors that GitHub makes of headings. */
function listAnchors(page: string): string[] {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
