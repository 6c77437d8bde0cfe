import { expect, onTestFinished, test, vi } from 'vitest';
import { watchChanges } from '../../../src/modules/changes/watch-changes.ts';

/** Answers each look with the next of these; an error is thrown. */
function createWatch(...answers: (string[] | Error)[]) {
  const looks: [string | null, string[]][] = [];
  const watch = watchChanges({
    pollMs: 1,
    repository: {
      listChanged: (after, workspaceIds) => {
        looks.push([after, workspaceIds]);
        const answer = answers.shift() ?? [];
        if (answer instanceof Error) return Promise.reject(answer);
        return Promise.resolve({ snapshot: `after ${looks.length}`, workspaceIds: answer });
      },
    },
  });
  const waitForLooks = (count: number) =>
    vi.waitFor(() => expect(looks.length).toBeGreaterThanOrEqual(count), { timeout: 30_000 });
  return { watch, looks, waitForLooks };
}

test('the first look wakes all readers, and each later one those of workspaces with changes', async () => {
  const { watch, looks, waitForLooks } = createWatch([], ['a'], ['b', 'c']);
  const woken: string[] = [];
  for (const id of ['a', 'b']) onTestFinished(watch.onChanges(id, () => woken.push(id)));
  await waitForLooks(4);
  expect(woken).toEqual(['a', 'b', 'a', 'b']);
  expect(looks.slice(0, 3)).toEqual([
    [null, ['a', 'b']],
    ['after 1', ['a', 'b']],
    ['after 2', ['a', 'b']],
  ]);
});

test('one query serves all readers of a workspace, and none is sent without a reader', async () => {
  const { watch, looks, waitForLooks } = createWatch();
  const woken: number[] = [];
  const leaving = [1, 2].map((reader) => watch.onChanges('a', () => woken.push(reader)));
  await waitForLooks(2);
  expect(woken).toEqual([1, 2]);
  expect(looks.every(([, ids]) => ids.length === 1)).toBe(true);
  for (const leave of leaving) leave();
  await vi.waitFor(
    async () => {
      const before = looks.length;
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(looks).toHaveLength(before);
    },
    { timeout: 30_000 },
  );

  onTestFinished(watch.onChanges('b', () => woken.push(3)));
  await vi.waitFor(() => expect(woken).toEqual([1, 2, 3]), { timeout: 30_000 });
  expect(looks.find(([, ids]) => ids.includes('b'))).toEqual([null, ['b']]);
});

test('a look that fails is made again, and wakes all readers, since changes may be missing', async () => {
  const { watch, looks, waitForLooks } = createWatch([], new Error('unreachable'), []);
  let woken = 0;
  onTestFinished(watch.onChanges('a', () => (woken += 1)));
  await waitForLooks(4);
  expect(woken).toBe(2);
  expect(looks.slice(0, 4).map(([after]) => after)).toEqual([null, 'after 1', null, 'after 3']);
});
