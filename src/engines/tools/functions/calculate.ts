import type { ToolResult } from '../../../domain/tool.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { toTextArgument } from '../text-argument.ts';

const maxExpressionLength = 1_000;
const maxResultLength = 200;

async function run({ arguments: { expression } }: FunctionRun): Promise<ToolResult> {
  // mathjs takes a fifth of a second to load, which a program that never calculates does not spend.
  const { calculateExpression } = await import('./restricted-math.ts');
  try {
    return {
      status: 'succeeded',
      text: toOneLine(calculateExpression(toTextArgument(expression)), maxResultLength),
    };
  } catch (error) {
    const reason = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    const message = `The expression cannot be calculated: ${toOneLine(reason, maxResultLength)}`;
    return { status: 'failed', error: { code: 'TOOL_FAILED', message } };
  }
}

/** Calculates an arithmetic expression, with units where wanted. */
export const calculate: ToolFunction = {
  name: 'calculate',
  description:
    'Calculates an arithmetic expression, such as "2 * (3.5 + 4)", "sqrt(2) * sin(45 deg)", "18% * 250" ' +
    'or "5 inch to cm".',
  schema: {
    type: 'object',
    properties: {
      expression: { type: 'string', minLength: 1, maxLength: maxExpressionLength },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  effect: 'read_only',
  run,
};
