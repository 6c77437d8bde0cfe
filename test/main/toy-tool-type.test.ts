import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startsChild } from '../../activities/model/call-model-result.ts';
import type { Tool, ToolInput, ToolOf, ToolRun } from '../../src/domain/tool.ts';
import { checkToolTarget, createToolCheck } from '../../src/engines/tools/check-tool.ts';
import { completeTool } from '../../src/engines/tools/complete-tool.ts';
import { collectToolTypes, listToolTypes } from '../../src/engines/tools/find-tool-type.ts';
import { createFunctionRegistry } from '../../src/engines/tools/functions/function-registry.ts';
import { createToolRunner } from '../../src/engines/tools/run-tool.ts';
import { createEffectOf } from '../../src/engines/tools/tool-effect.ts';
import { createToolSchemas } from '../../src/engines/tools/tool-schema.ts';
import { summarizeToolCall } from '../../src/engines/tools/tool-summary.ts';
import { resolveTool } from '../../src/engines/tools/toolbox.ts';
import * as toolTypes from '../../src/engines/tools/tool-types.ts';
import type { StepToolType, ToolLookups } from '../../src/engines/tools/tool-type.ts';
import { createAgentSchemas } from '../../src/modules/agents/agent-schema.ts';
import { nameToolSchemas } from '../../src/modules/agents/agent-schema-names.ts';
import { compileValidator } from '../../src/platform/http/validation.ts';
import { lentToyTool, toyTool } from '../fixtures/toys/toy-tool.ts';
import { plainAgent } from '../labs/api-lab.ts';

// The only list that a new type of tool is added to.
const { types, find } = collectToolTypes({ ...toolTypes, toyTool, lentToyTool });
const schemas = createToolSchemas(types);
const functions = createFunctionRegistry();
const box = { connectors: [], connections: [] };

const tool: ToolOf<'toy'> = {
  ...{ id: 'tool-1', type: 'toy', name: 'play', description: 'Plays.', schema: { type: 'object' } },
  config: { toyId: 'ball' },
};
const { id: toolId, ...input } = tool;
const lent: ToolOf<'lent_toy'> = { ...tool, type: 'lent_toy' };

test('the list of types is that of the records', () => {
  const before = listToolTypes().map(({ type }) => type);
  expect(types.map(({ type }) => type)).toEqual([...before, 'toy', 'lent_toy']);
  expect(find('toy')).toBe(toyTool);
  expect(toolId).toBe('tool-1');
});

describe('the schemas', () => {
  const validate = compileValidator({ schema: schemas.toolInputSchema });

  test('accept a tool of a new type, complete or not', () => {
    expect(validate(input)).toEqual({ value: input });
    const { description, schema, ...short } = input;
    expect([description, schema]).toEqual(['Plays.', { type: 'object' }]);
    expect(validate(short)).toEqual({ value: short });
    expect(schemas.toolSchema.parse(tool)).toEqual(tool);
  });

  test('refuse its wrong fields, and name it among the known types', () => {
    const details = [{ field: 'config.size', message: 'unknown field: expected one of "toyId"' }];
    expect(validate({ ...input, config: { size: 3 } })).toMatchObject({ error: { details } });
    const { error } = validate({ ...input, type: 'magic' }) as { error: { details: { message: string }[] } };
    expect(error.details[0]?.message).toContain('"toy"|"lent_toy"');
  });

  test('of agents take it', () => {
    const { agentInputSchema, agentChangeSchema, newAgentSchema, agentVersionSchema } =
      createAgentSchemas(schemas);
    const agent = { ...plainAgent, tools: [input] };
    for (const schema of [agentInputSchema, newAgentSchema, agentChangeSchema])
      expect(schema.parse(agent).tools).toEqual([input]);
    expect(agentVersionSchema.shape.tools.parse([tool])).toEqual([tool]);
  });

  test('have names in the OpenAPI document', () => {
    const registry = z.registry<{ id: string }>();
    nameToolSchemas(schemas, registry);
    const { schemas: document } = z.toJSONSchema(registry, {
      metadata: registry,
      unrepresentable: 'any',
    });
    expect(Object.keys(document)).toEqual(
      expect.arrayContaining(['ToyTool', 'NewToyTool', 'LentToyTool', 'NewLentToyTool']),
    );
    expect(document.ToolType?.enum).toEqual(types.map(({ type }) => type));
    expect(document.Tool?.discriminator).toMatchObject({ mapping: { toy: '#/components/schemas/ToyTool' } });
    expect(document.NewTool?.discriminator).toMatchObject({
      mapping: { toy: '#/components/schemas/NewToyToolInput' },
    });
  });
});

describe('a new tool', () => {
  const check = createToolCheck({ functions }, find);

  test('gets the fields that its type knows', () => {
    const completed = completeTool({ type: 'toy', name: 'play', config: {} }, { functions }, find);
    expect(completed.tool).toMatchObject({ description: 'Plays with a toy.', schema: { type: 'object' } });
  });

  test('is checked by its type', async () => {
    const checkConfig = (config: ToolInput['config']) =>
      check({ ...input, config } as ToolInput, 'workspace');
    expect(await checkConfig({ toyId: 'ball' })).toEqual([]);
    expect(await checkConfig({ toyId: 'broken' })).toEqual([
      { field: 'config.toyId', message: 'the toy is broken' },
    ]);
    expect(await checkConfig({})).toEqual([
      { field: 'config.toyId', message: 'a tool of type toy needs config.toyId' },
    ]);
    const checked = await checkToolTarget(input, {} as ToolLookups, find);
    expect(checked.tool.description).toBe('Checked.');
  });
});

describe('a call', () => {
  test('runs as its type says', async () => {
    const run = createToolRunner({
      ...({} as Parameters<typeof createToolRunner>[0]),
      findType: find,
    });
    const call = { tool, arguments: {}, signal: new AbortController().signal } as unknown as ToolRun;
    expect(await run(call)).toEqual({ status: 'succeeded', text: 'played with ball' });
    expect(await run({ ...call, tool: lent })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_TYPE_NOT_AVAILABLE' },
    });
  });

  test('has the effect, the target, the place and the summary of its type', () => {
    expect(createEffectOf({ functions }, find)(tool)).toBe('idempotent');
    expect(resolveTool(tool, box, find)).toMatchObject({
      server: 'ball',
      place: { type: 'toy', id: 'ball', tools: [''] },
    });
    expect(summarizeToolCall({ name: 'play', tool, arguments: {} }, find)).toBe('plays with ball');
  });

  test('is routed to a child where its type starts one', () => {
    const routed: Tool[] = [tool, lent];
    expect(routed.map((one) => startsChild(one, find))).toEqual([false, true]);
  });
});

test('a type without its run, its config or its place is refused by the compiler', () => {
  const { run, ...withoutRun } = toyTool;
  const { place, ...withoutPlace } = toyTool;
  const { config, ...withoutConfig } = toyTool;
  expect([run, place, config].every(Boolean)).toBe(true);
  const records: unknown[] = [
    // @ts-expect-error A type whose calls run in a step has `run`.
    withoutRun satisfies StepToolType<'toy'>,
    // @ts-expect-error Policies compare the places of tools, so each type has `place`.
    withoutPlace satisfies StepToolType<'toy'>,
    // @ts-expect-error The schemas are made of `config`.
    withoutConfig satisfies StepToolType<'toy'>,
  ];
  expect(records).toHaveLength(3);
});
