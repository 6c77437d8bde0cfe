import { expect, test, vi } from 'vitest';
import { createDependencyState } from '../../../src/platform/lib/dependency-state.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });

function follow() {
  const lines: [string, object][] = [];
  const write = (fields: object, message: string) => void lines.push([message, fields]);
  const state = createDependencyState({
    name: 'Postgres',
    logger: { error: write, warn: write },
    settleMs: 20,
  });
  return { lines, messages: () => lines.map(([message]) => message), ...state };
}

test('an outage is one line at its begin and one at its end, however many calls fail', async () => {
  const { failed, recovered, lines, messages } = follow();
  for (let call = 0; call < 1000; call += 1) failed(refused);
  for (let call = 0; call < 10; call += 1) recovered();
  await vi.waitFor(() => expect(messages()).toEqual(['Postgres cannot be reached', 'Postgres is back']), {
    timeout: 30_000,
  });
  expect(lines[0]?.[1]).toEqual({ code: 'ECONNREFUSED', reason: 'connect ECONNREFUSED 127.0.0.1:5432' });
  expect(lines[1]?.[1]).toEqual({ awayMs: expect.any(Number) as number });
});

test('a dependency is not back while some of its calls still fail', async () => {
  const { failed, recovered, messages } = follow();
  for (let call = 0; call < 50; call += 1) {
    failed(refused);
    recovered();
  }
  failed(refused);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(messages()).toEqual(['Postgres cannot be reached']);
});

test('a full disk is named as such, also when it comes after another failure', () => {
  const { failed, messages } = follow();
  failed(refused);
  failed(full);
  failed(full);
  expect(messages()).toEqual(['Postgres cannot be reached', 'the disk of Postgres is full']);
});

test('a success without a failure before it is not logged', () => {
  const { recovered, lines } = follow();
  recovered();
  expect(lines).toEqual([]);
});

test('a host that refuses at all of its addresses is logged with each of them', () => {
  const { failed, lines } = follow();
  const both = [new Error('connect ECONNREFUSED ::1:5432'), refused];
  failed(Object.assign(new AggregateError(both), { code: 'ECONNREFUSED' }));
  expect(lines[0]?.[1]).toMatchObject({
    reason: 'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
  });
});
