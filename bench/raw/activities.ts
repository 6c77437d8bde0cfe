import { messageCharacters } from '../programs/contract.ts';

/** Names a step of the floor, as ours are named: by ids, not by content. */
export interface RawStepInput {
  tag: string;
  step: number;
}

const text = 'r'.repeat(messageCharacters);

/** A step that does nothing and answers as much as ours shows in history. */
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
