import { z } from 'zod';
import { checkReferences } from '../check-references.ts';
import { defineKind } from '../resource-kind.ts';

const statuses = ['planned', 'active', 'paused', 'done'] as const;
const resourceIds = z.array(z.uuid()).max(200);

/** Projects: a goal, with the resources that belong to it. */
export const project = defineKind({
  kind: 'project',
  description: 'A goal with a status, and the resources that belong to it.',
  fields: {
    goal: z.string().max(10_000).default(''),
    status: z.enum(statuses).default('active'),
    resourceIds: resourceIds.default([]).describe('The resources that belong to it'),
  },
  filterFields: { status: z.enum(statuses).optional() },
  textOf: ({ goal }) => z.string().parse(goal),
  check: async (attributes, context) => {
    const named = resourceIds.safeParse(attributes.resourceIds);
    if (named.success) await checkReferences(context, { field: 'resourceIds', ids: named.data });
  },
});
