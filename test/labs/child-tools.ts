import type { TurnRow } from '../../src/modules/turns/turn-rows.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { ToolInput, ToolInputOf, ToolType } from '../../src/domain/tool.ts';
import type { TurnLab } from './turn-lab.ts';

const anyObject: JsonObject = { type: 'object', properties: {} };

/** Catalogue entries for the workflows of `operator-workflows.ts`, on one task queue. */
export function toOperatorCatalogue(taskQueue: string): Record<string, JsonObject> {
  const entry = (workflowType: string, more: JsonObject = {}) => ({ workflowType, taskQueue, ...more });
  return {
    refund: entry('refundOrder', {
      description: 'Pays an order back.',
      input: {
        type: 'object',
        properties: { order: { type: 'string' }, amount: { type: 'number', maximum: 500 } },
        required: ['order', 'amount'],
        additionalProperties: false,
      },
    }),
    wait: entry('waitForRelease'),
    'wait-detached': entry('waitForRelease', { detach: true }),
    'wait-briefly': entry('waitForRelease', { timeoutMs: 300 }),
    refuse: entry('refuse'),
    bytes: entry('giveBytes'),
    nothing: entry('giveNothing'),
    much: entry('giveMuch'),
  };
}

type Overrides<Type extends ToolType> = Partial<ToolInputOf<Type>>;

/** A tool that starts a workflow of the operator's catalogue. */
export function workflowTool(
  workflowId: string,
  { config, ...overrides }: Overrides<'workflow'> = {},
): ToolInput {
  return {
    type: 'workflow',
    name: workflowId,
    description: `Starts ${workflowId}.`,
    schema: anyObject,
    config: { workflowId, ...config },
    ...overrides,
  };
}

/** A tool that asks another agent. */
export function agentTool(name: string, agentId: string, overrides: Overrides<'agent'> = {}): ToolInput {
  const { config, ...others } = overrides;
  return {
    type: 'agent',
    name,
    description: `Asks ${name}.`,
    schema: {
      type: 'object',
      properties: { message: { type: 'string' } },
      required: ['message'],
      additionalProperties: false,
    },
    config: { agentId, ...config },
    ...others,
  };
}

/** The answer of a scripted model that calls one tool. */
export function ask(name: string, input: JsonObject = { message: 'Please.' }) {
  return { toolCalls: [{ name, arguments: input }] };
}

/** Reads the stored row of a turn. */
export async function readTurnRow({ database }: Pick<TurnLab, 'database'>, turnId: string): Promise<TurnRow> {
  const row = await database.system<TurnRow>('turns').where({ id: turnId }).first();
  if (!row) throw new Error(`there is no turn ${turnId}`);
  return row;
}
