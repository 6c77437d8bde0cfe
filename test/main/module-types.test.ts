import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AuditType } from '../../src/domain/audit.ts';
import type { Dependencies } from '../../src/main/api-dependencies.ts';
import type { WorkerModule } from '../../src/main/create-worker-activities.ts';
import { listApiDoors } from '../../src/main/doors.ts';
import { modules } from '../../src/main/modules.ts';
import type { Door } from '../../src/platform/http/door.ts';
import { routesOf } from '../../src/platform/http/route.ts';
import { defineModule } from '../../src/platform/module/define-module.ts';
import { createWorkerParts } from '../../src/platform/module/derive.ts';
import { toys } from '../fixtures/toys/module.ts';

/** A part that neither the API nor a worker has. */
interface Telescope {
  telescope: { look: () => string };
}

/** The declaration of an endpoint that is right in every field. */
const plain = {
  method: 'GET',
  path: '/api/stars',
  operationId: 'listStars',
  summary: 'List stars',
  tag: 'resources',
  right: 'resources.read',
  answers: { 200: z.object({ star: z.string() }) },
  handler: () => Promise.resolve({ status: 200, data: { star: 'Vega' } }),
} as const;

const starRoute = routesOf<Telescope>()({
  ...plain,
  handler: ({ dependencies: { telescope } }) =>
    Promise.resolve({ status: 200, data: { star: telescope.look() } }),
});

const stars = defineModule({
  name: 'stars',
  routes: [starRoute],
  worker: ({ telescope }: Telescope) => ({ activities: { look: telescope.look } }),
});

const starPages = defineModule({
  name: 'star pages',
  doors: [
    (server: Parameters<Door>[0], { telescope }: Telescope) => void server.get('/stars', telescope.look),
  ],
});

// Each of these lines fails `tsc` when its error is missing.
describe('the compiler', () => {
  test('accepts a module whose parts exist', () => {
    const forWorkers: readonly WorkerModule[] = [...modules, toys];
    const doors: readonly Door<Dependencies>[] = listApiDoors([...modules, toys]);
    expect([forWorkers.length, doors.length]).toEqual([modules.length + 1, listApiDoors(modules).length + 1]);
  });

  test('refuses a module whose worker asks for a part that main does not provide', () => {
    // @ts-expect-error A worker has no `telescope`; `toModuleParts` in main has to provide it.
    const forWorkers: readonly WorkerModule[] = [...modules, stars];
    expect(forWorkers).toHaveLength(modules.length + 1);
    // @ts-expect-error The part of the worker is built from a `telescope`, which is not given.
    expect(() => createWorkerParts([stars], {})).toThrow();
  });

  test('refuses a route that needs a dependency which the API does not have', () => {
    // @ts-expect-error The API has no `telescope`; `createDependencies` in main has to provide it.
    const doors: readonly Door<Dependencies>[] = listApiDoors([...modules, stars]);
    expect(doors).toHaveLength(listApiDoors(modules).length);
  });

  test('refuses a door that needs a dependency which the API does not have', () => {
    // @ts-expect-error The API has no `telescope`; `createDependencies` in main has to provide it.
    const doors: readonly Door<Dependencies>[] = listApiDoors([...modules, starPages]);
    expect(doors).toHaveLength(listApiDoors(modules).length + 1);
  });

  test('refuses a route without a right, or of a right or a tag that is in no list', () => {
    const { right, ...withoutRight } = plain;
    const route = routesOf();
    expect([
      // @ts-expect-error Each route names its right, or why it is open.
      route(withoutRight),
      // @ts-expect-error An open route asks for no right.
      route({ ...plain, open: 'It shows nothing.' }),
      // @ts-expect-error `src/domain/rights.ts` has to list the right.
      route({ ...plain, right: 'stars.read' }),
      // @ts-expect-error `src/platform/http/openapi/tags.ts` has to list the tag.
      route({ ...plain, tag: 'stars' }),
    ]).toHaveLength(4);
    expect(right).toBe('resources.read');
  });

  test('refuses the type of an audit event that no module declares', () => {
    const declared: AuditType = 'toy.created';
    // @ts-expect-error The `module.ts` of the noun has to declare the type.
    const unknown: AuditType = 'star.created';
    expect([declared, unknown]).toHaveLength(2);
  });

  test('refuses stored work that is not swept', () => {
    const comets = defineModule({
      name: 'comets',
      // @ts-expect-error A kind of stored work has to name its sweep.
      worker: () => ({ work: [{ kind: 'comet', workflows: ['cometRun'] }] }),
    });
    expect(comets.name).toBe('comets');
  });
});
