import { describe, expect, it } from 'vitest';
import { runCli, toEnvironment } from '../../../labs/run-cli.ts';
import { answerWith, startScriptedApi } from '../../../servers/scripted-api.ts';

const budget = {
  ...{ id: 'b-1', scope: 'workspace', subject: null, each: false, period: 'month' },
  ...{ credits: '5000000', spent: '1234', reserved: '500000' },
};
const line = 'b-1  workspace  month  $0.001234 of $5.00 spent, $0.50 reserved\n';

async function open() {
  const api = await startScriptedApi({
    'GET /api/budgets': answerWith({ budgets: [budget], nextCursor: null }),
    'POST /api/budgets': answerWith({ budget }, 201),
    'PATCH /api/budgets/b-1': answerWith({ budget }),
  });
  const run = (...words: string[]) => runCli(['budgets', ...words], { environment: toEnvironment(api) });
  const bodies = (route: string) => api.to(route).map(({ body }) => body);
  return { run, bodies };
}

describe('holdfast budgets', () => {
  it('shows dollars', async () => {
    const { run } = await open();
    expect(await run('list')).toEqual({ code: 0, stdout: line, stderr: '' });
  });

  it('takes dollars and credits', async () => {
    const { run, bodies } = await open();
    for (const amount of [['--dollars', '5'], ['--dollars', '0.000001'], ['--credits', '7'], ['7']])
      expect((await run('create', ...amount)).stdout).toBe(line);
    const place = { scope: 'workspace', period: 'month' };
    expect(bodies('POST /api/budgets')).toEqual(
      ['5000000', '1', '7', '7'].map((credits) => ({ ...place, credits })),
    );
    await run('update', 'b-1', '--dollars', '2.50');
    await run('update', 'b-1', '--credits', '9');
    expect(bodies('PATCH /api/budgets/b-1')).toEqual([{ credits: '2500000' }, { credits: '9' }]);
  });

  it.for([[[]], [['--dollars', '5', '--credits', '5']], [['5', '--dollars', '5']]] as const)(
    'takes one amount: %j are refused',
    async ([amount]) => {
      const { run, bodies } = await open();
      expect((await run('create', ...amount)).stderr).toBe(
        'Expected either --dollars, such as 2.50, or --credits.\n',
      );
      expect(bodies('POST /api/budgets')).toEqual([]);
    },
  );

  it('refuses what is no amount of dollars', async () => {
    const { run } = await open();
    for (const text of ['$5', '1,50', '0.0000001', '1e3'])
      expect((await run('create', '--dollars', text)).stderr).toContain(`--dollars is "${text}": expected`);
  });
});
