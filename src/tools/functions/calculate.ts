import type { ToolResult } from '../../domain/tool.ts';
import { toOneLine } from '../../domain/text.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { toTextArgument } from '../text-argument.ts';
import { calculateExpression } from './restricted-math.ts';

const maxExpressionLength = 1_000;
const maxResultLength = 200;

function run({ arguments: { expression } }: FunctionRun): ToolResult {
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
