import pg from 'pg';
import { failingModels, steadyModel } from './model.ts';

/** An answer of a model as it is stored. */
export interface StoredStep {
  iteration: number;
  text: string;
  /** The models that calls of this iteration were paid for, with their vendor. */
  paid: string[];
  /** The names of the tools that it calls. */
  calls: string[];
}

/** A turn whose agent has a model that answers for another. */
export interface FallbackTurn {
  id: string;
  status: string;
  /** How many events say that the turn is over. */
  endings: number;
  /** How many events say that a model was passed over. */
  passed: number;
  steps: StoredStep[];
}

/** Reads turns with the answers of their models. */
export async function readFallbackTurns(databaseUrl: string, turnIds: string[]): Promise<FallbackTurn[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<FallbackTurn>(
      `SELECT t.id, t.status,
         (SELECT count(*)::int FROM events e WHERE e.turn_id = t.id AND e.type = 'turn.settled') AS endings,
         (SELECT count(*)::int FROM events e WHERE e.turn_id = t.id AND e.type = 'model.passed') AS passed,
         coalesce((SELECT jsonb_agg(jsonb_build_object('iteration', m.iteration, 'text', m.text,
           'paid', ARRAY(SELECT u.model FROM usage u WHERE u.turn_id = t.id AND u.iteration = m.iteration),
           'calls', ARRAY(SELECT c.name FROM tool_calls c WHERE c.turn_id = t.id AND c.iteration = m.iteration))
           ORDER BY m.iteration)
           FROM messages m WHERE m.turn_id = t.id AND m.role = 'assistant'), '[]') AS steps
       FROM turns t WHERE t.id = ANY($1)`,
      [turnIds],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** The names of the models in the words of their answers. */
const writtenBy = new RegExp(`^(${[...failingModels, steadyModel].join('|')}) \\d+: one two three\\.$`);

/**
 * Checks that a turn has one end, and that each of its answers is whole, of one model, which was paid once, with each call once,
 * and that a reader saw nothing that is not in it. Returns one sentence for each problem.
 */
export function findFallbackProblems(turn: FallbackTurn, seen: ReadonlyMap<number, string>): string[] {
  const { id, status, endings, steps } = turn;
  const iterations = new Set(steps.map(({ iteration }) => iteration));
  return [
    ...(status === 'completed' || status === 'failed' ? [] : [`it is ${status}`]),
    ...(endings === 1 ? [] : [`it ended ${endings} times`]),
    ...(iterations.size === steps.length ? [] : ['it has two answers of one iteration']),
    ...steps.flatMap((step) => findStepProblems(step, seen.get(step.iteration) ?? '')),
  ].map((problem) => `turn ${id}: ${problem}`);
}

function findStepProblems({ text, paid, calls }: StoredStep, seen: string): string[] {
  const author = writtenBy.exec(text)?.[1];
  const isPaid = paid.length === 1 && paid[0] === `compatible/${author}`;
  return [
    ...(author === undefined ? [`"${text}" is no whole answer of one model`] : []),
    ...(author === undefined || isPaid ? [] : [`"${text}" was paid to ${paid.join()}`]),
    ...(new Set(calls).size === calls.length ? [] : [`"${text}" calls ${calls.join()}`]),
    ...(text.includes(seen) ? [] : [`a reader saw "${seen}" of "${text}"`]),
  ];
}
