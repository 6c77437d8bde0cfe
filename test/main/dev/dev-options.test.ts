import { expect, it } from 'vitest';
import { parseDevOptions } from '../../../src/main/dev/dev-options.ts';

it('starts everything over the configured folder unless told otherwise', () => {
  expect(parseDevOptions([])).toEqual({ help: false, worker: true });
});

it('takes a data folder and leaves the worker out', () => {
  expect(parseDevOptions(['--no-worker', '--data', 'elsewhere'])).toEqual({
    help: false,
    worker: false,
    data: 'elsewhere',
  });
});

it('names an option that does not exist', () => {
  expect(() => parseDevOptions(['--wroker'])).toThrow("Unknown option '--wroker'");
});
