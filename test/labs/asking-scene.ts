import { eventually } from './eventually.ts';
import type { TurnLab } from './turn-lab.ts';

/** The form with which a test server asks for a seat. */
export const seat = {
  type: 'object' as const,
  properties: {
    row: { type: 'integer' as const, minimum: 1 },
    side: { type: 'string' as const, enum: ['window', 'aisle'], default: 'aisle' },
  },
  required: ['row'],
};

/** An address that a test server wants to be opened. */
export const address = 'https://pay.example.com/consent?id=7';

/** A model's answer that calls tools without arguments. */
export function callEach(...names: string[]) {
  return { toolCalls: names.map((name) => ({ name, arguments: {} })) };
}

/** Waits for the questions of a turn, which may run. */
export function waitForQuestions(lab: TurnLab, turnId: string, count = 1) {
  return eventually(
    () => lab.readTurn(turnId).then(({ pendingActions }) => pendingActions),
    (actions) => actions.length === count,
  );
}
