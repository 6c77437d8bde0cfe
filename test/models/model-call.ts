import type { ModelCall, ModelTool } from '../../src/domain/model.ts';

/** A model call with everything in it that a test does not care about; collects the streamed text. */
export function createModelCall(overrides: Partial<ModelCall> & { model: string }) {
  const deltas: string[] = [];
  const call: ModelCall = {
    instructions: 'Be brief.',
    messages: [{ role: 'user', text: 'Hello' }],
    tools: [],
    idempotencyKey: 'turn-1-iteration-1',
    signal: new AbortController().signal,
    onTextDelta: (text) => deltas.push(text),
    ...overrides,
  };
  return { call, deltas };
}

/** A tool with one argument. */
export const weatherTool: ModelTool = {
  name: 'get_weather',
  description: 'Tells the weather.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
