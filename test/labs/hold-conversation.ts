import { factQuestion, toFact, type FactModel } from '../servers/fact-model.ts';

/** The number of facts at the beginning of a conversation. */
const factCount = 10;

interface ConversationOptions {
  model: FactModel;
  turns: number;
  /** Runs a turn, and returns its answer. */
  say: (message: string) => Promise<string>;
}

/** The course of a long conversation, as its model has seen it. */
export interface HeldConversation {
  /** The tokens of the model call of each turn. */
  answers: number[];
  /** The tokens of each call for a summary. */
  summaries: number[];
  /** How many of the ten facts from the beginning the last answer contains. */
  facts: number;
}

const talk =
  'Then we spoke of the weather, of the boxes at the gate, and of who drives the van on Monday. '.repeat(3);

/** Holds a conversation of `turns` turns: each of the first ten states a fact, and the last one asks for them. */
export async function holdConversation(options: ConversationOptions): Promise<HeldConversation> {
  const { model, turns, say } = options;
  const [answered, summarized] = [model.answers.length, model.summaries.length];
  let answer = '';
  for (let turn = 1; turn <= turns; turn += 1) {
    const message =
      turn === turns ? factQuestion : `${turn <= factCount ? toFact(turn) : ''} ${turn}: ${talk}`;
    answer = await say(message);
  }
  const numbers = Array.from({ length: factCount }, (_, index) => index + 1);
  return {
    answers: model.answers.slice(answered),
    summaries: model.summaries.slice(summarized),
    facts: numbers.filter((number) => answer.includes(toFact(number))).length,
  };
}
