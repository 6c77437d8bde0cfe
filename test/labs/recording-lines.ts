import { fewTokens } from './few-tokens.ts';

const createdAt = '2026-11-01T12:00:00.000Z';

/** The parts of a line that a test sets. */
export interface LineParts {
  conversation?: object;
  agent?: object;
  turn?: object;
  steps?: object[];
  compactions?: object[];
}

/** Returns a short line that can be imported, as JSON. */
export function createLine(conversationId: string, ordinal: number, parts: LineParts = {}): string {
  return JSON.stringify({
    schemaVersion: 1,
    conversation: { id: conversationId, createdAt, ...parts.conversation },
    agent: { id: 'shop', name: 'Shop', model: 'demo', ...parts.agent },
    turn: {
      id: `${conversationId}-${ordinal}`,
      ...{ ordinal, outcome: 'completed', answer: 'Fine.', iterations: 1, usage: fewTokens, createdAt },
      ...parts.turn,
    },
    message: { text: `Message ${ordinal}` },
    steps: parts.steps ?? [createStep({ text: 'Fine.' })],
    ...(parts.compactions && { compactions: parts.compactions }),
  });
}

/** Returns a model call of such a line. */
export function createStep(parts: object = {}): object {
  return { iteration: 1, model: 'demo', answeredBy: 'demo', text: '', finishReason: 'stop', ...parts };
}

/** Returns a step of such a line that puts a summary in the place of the first turn. */
export function createCompaction(parts: object = {}): object {
  return {
    ...{ iteration: 1, kind: 'summarize', fromOrdinal: 1, throughOrdinal: 1, summaryId: 's1' },
    summary: { text: 'They spoke.', model: 'demo', answeredBy: 'demo' },
    ...parts,
  };
}
