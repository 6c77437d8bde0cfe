import { expect, it } from 'vitest';
import { parseDevOptions } from '../../../src/main/dev/dev-options.ts';

it('npm start uses the configured folder and starts everything by default', () => {
  expect(parseDevOptions([])).toEqual({ help: false, worker: true, push: true, verbose: false });
});

it('npm start accepts a data folder and can leave out the worker and the push of agents, and show all', () => {
  expect(parseDevOptions(['--no-worker', '--no-push', '--verbose', '--data', 'elsewhere'])).toEqual({
    help: false,
    worker: false,
    push: false,
    verbose: true,
    data: 'elsewhere',
  });
});

it('npm start names an unknown option', () => {
  expect(() => parseDevOptions(['--wroker'])).toThrow("Unknown option '--wroker'");
});
