import { factQuestion, toFact, type FactModel } from './fact-model.ts';

/** The facts of which a conversation tells at its beginning. */
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
  /** The facts that the last answer tells, of the ten that were said at the beginning. */
  facts: number;
}

const talk =
  'Then we spoke of the weather, of the boxes at the gate, and of who drives the van on Monday. '.repeat(3);

/** Holds a conversation of so many turns, whose first ten tell a fact each, and asks for the facts in the last one. */
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
