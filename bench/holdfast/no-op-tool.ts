import type { StepTools } from '../../activities/step-dependencies.ts';
import type { ToolExecutor, ToolInput } from '../../src/domain/tool.ts';
import { schemaChecksOf } from '../../src/engines/tools/json-schema/schema-checks.ts';
import { createFunctionRegistry } from '../../src/engines/tools/functions/function-registry.ts';
import { createEffectOf } from '../../src/engines/tools/tool-effect.ts';
import { summarizeToolCall } from '../../src/engines/tools/tool-summary.ts';
import { messageCharacters } from '../programs/contract.ts';

/** The name of the tool that does nothing. */
export const noOpToolName = 'no_op';

/** The definition of the tool for agents. */
export const noOpTool: ToolInput = {
  type: 'function',
  name: noOpToolName,
  description: 'Does nothing.',
  schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  config: { functionName: noOpToolName },
  settings: { effect: 'read_only' },
};

const text = 't'.repeat(messageCharacters);

/** Replaces the execution of tools: every call succeeds immediately. */
export function createNoOpToolRunner(): StepTools {
  const answer: ToolExecutor = () => Promise.resolve({ status: 'succeeded', text });
  return {
    run: answer,
    findInnerCall: () => Promise.resolve(null),
    effectOf: createEffectOf({ functions: createFunctionRegistry() }),
    loadEffects: () => Promise.resolve(),
    checksOf: schemaChecksOf,
    summarize: summarizeToolCall,
  };
}
