import { z } from 'zod';
import { HoldfastError } from '../../../domain/errors.ts';
import type { ModelCall } from '../../../domain/model.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import { failedResult } from '../failed-result.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import type { FunctionRun } from './tool-function.ts';

declare module '../tool-services.ts' {
  interface ToolServices {
    /** Calls a model once for a tool call: its answer and its cost are stored together. */
    callModel: (asked: {
      workspaceId: string;
      turnId: string;
      toolCallId: string;
      call: ModelCall;
    }) => Promise<string>;
  }
}

const input = z.strictObject({
  prompt: z.string().min(1).max(1_000_000),
  instructions: z.string().max(100_000).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
});

async function run(
  { prompt, instructions = '', maxOutputTokens, temperature }: z.output<typeof input>,
  { workspaceId, turnId, toolCallId, tool, services, idempotencyKey, signal, onProgress }: FunctionRun,
): Promise<ToolResult> {
  const { model, connectionId } = tool.config;
  if (model === undefined) return failedResult('TOOL_NOT_CONFIGURED', 'The call names no model.');
  const call: ModelCall = {
    ...{ model, instructions, tools: [], messages: [{ role: 'user', text: prompt }] },
    ...(connectionId === undefined ? {} : { connection: { workspaceId, connectionId } }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...{ idempotencyKey, signal, onTextDelta: () => undefined, onProgress: () => onProgress() },
  };
  try {
    const text = await getToolService(services, 'callModel')({ workspaceId, turnId, toolCallId, call });
    return { status: 'succeeded', text };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HoldfastError && !error.retryable)
      return { status: 'failed', error: error.toInfo() };
    throw error;
  }
}

/** Asks a model without tools and without a conversation; routines call it under the name `model`. */
export const callModel = {
  ...defineCoreFunction({
    name: 'routine:model',
    description: 'Asks a model once, and answers its text.',
    input,
    // An attempt that was cut off may run again: its answer is not stored, so no reader has seen it.
    effect: 'idempotent',
    run,
  }),
  forRoutines: true,
} as const;
