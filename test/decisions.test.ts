import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'docs/decisions';
const index = readFileSync(`${folder}/README.md`, 'utf8');
const sections = globSync(`${folder}/*.md`, { exclude: ['**/README.md'] }).flatMap((page) =>
  readFileSync(page, 'utf8').split(/^## /m).slice(1),
);

const toNumber = (section: string) => /^.* \(decision (\d+)\)\n/.exec(section)?.[1];

it('each decision has a heading with its number, and a line that says whether it holds', () => {
  const odd = sections.filter(
    (section) => toNumber(section) === undefined || !/^.*\n\nStatus: \S/.test(section),
  );
  expect(odd.map((section) => section.split('\n', 1)[0])).toEqual([]);
});

it('the index names each decision once', () => {
  const listed = [...index.matchAll(/\[(\d+)\]\([\w-]+\.md#[\w-]+-decision-(\d+)\)/g)];
  expect(listed.filter(([, name, target]) => name !== target)).toEqual([]);
  expect(listed.map(([, name]) => name).toSorted()).toEqual(sections.map(toNumber).toSorted());
});
