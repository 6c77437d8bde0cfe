import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkInput } from '../../domain/check-input.ts';
import { createInvalidInput } from '../../domain/errors.ts';

/** The parts of a request that a route may declare. */
interface DeclaredParts {
  right: unknown;
  query?: unknown;
  body?: unknown;
  takesFile?: boolean;
  takesOnlyFile?: boolean;
  takesLines?: boolean;
}

const nothing = z.strictObject({});

/**
 * Refuses a query or a body that the route does not declare, so that no parameter is dropped silently. Routes without an API key are left
 * out: programs that check the health of a service may add parameters.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function refuseUndeclared(route: DeclaredParts, { query, body }: FastifyRequest): void {
  if (route.right === null) return;
  if (!route.query) refuse('query', query);
  if (!route.body && !route.takesFile && !route.takesOnlyFile && !route.takesLines) refuse('body', body);
}

function refuse(whole: string, value: unknown): void {
  const checked = checkInput(nothing, value ?? {}, { whole });
  if (!checked.success) throw createInvalidInput(checked.errors);
}
