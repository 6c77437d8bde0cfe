import { messageCharacters } from '../programs/contract.ts';

/** The input of a baseline step: ids and no content, as for steps of Holdfast. */
export interface RawStepInput {
  tag: string;
  step: number;
}

const text = 'r'.repeat(messageCharacters);

/** Does nothing and returns as much as a step of Holdfast writes to history. */
export function createRawActivities(onFirstStep: (tag: string) => void) {
  return {
    runRawStep: ({ tag, step }: RawStepInput): Promise<string> => {
      if (step === 1) onFirstStep(tag);
      return Promise.resolve(text);
    },
  };
}

/** The activities as the bare workflow sees them. */
export type RawActivities = ReturnType<typeof createRawActivities>;
