import { messageCharacters } from '../programs/contract.ts';
import type { Journal } from './journal.ts';

/** The input of a baseline step: ids and no content, as for steps of Holdfast. */
export interface RawStepInput {
  tag: string;
  step: number;
}

interface RawActivityOptions {
  journal: Pick<Journal, 'writeTurn'>;
  onFirstStep: (tag: string) => void;
}

const text = 'r'.repeat(messageCharacters);

/** The steps of the two baselines. */
export function createRawActivities({ journal, onFirstStep }: RawActivityOptions) {
  return {
    /** Does nothing and returns as much as a step of Holdfast writes to history. */
    runRawStep: ({ tag, step }: RawStepInput): Promise<string> => {
      if (step === 1) onFirstStep(tag);
      return Promise.resolve(text);
    },
    /** Stores all steps of a turn and does nothing else. */
    runRawSteps: async ({ tag }: { tag: string }): Promise<void> => {
      onFirstStep(tag);
      await journal.writeTurn(tag);
    },
  };
}

/** The activities as the bare workflow sees them. */
export type RawActivities = ReturnType<typeof createRawActivities>;
