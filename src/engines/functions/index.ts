export { z } from 'zod';
export {
  defineFunction,
  type FunctionCall,
  type FunctionDefinition,
  type FunctionOptions,
} from './define-function.ts';
export { OutcomeUnknownError, ToolFailure } from './function-errors.ts';
