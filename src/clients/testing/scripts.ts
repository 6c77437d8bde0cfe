import { limitBounds } from '../../domain/limits.ts';
import { isKeyOfIteration } from '../../platform/lib/model-call-key.ts';
import type { ScriptStep } from './scripted-model.ts';

/** The part of a client that finds the turns above one. */
interface TurnFinder {
  turns: {
    find: (query: { outcome: 'open'; limit: number }) => Promise<{ items: OpenTurn[] }>;
  };
}

interface OpenTurn {
  id: string;
  parentTurnId: string | null;
}

/** The answers of the model to one question, or to no question yet. */
interface Script {
  steps: ScriptStep[];
  /** The message of the question; null before there is one. */
  message: string | null;
}

/** The scripts of a test: one for each question, so that the turn of a failed test takes no answer of another test. */
export interface Scripts {
  /** Sets the answers to the next question, in place of those that no question has taken. */
  set: (steps: ScriptStep[]) => void;
  /** Takes the answers that were set, for a question and the turn that it starts. */
  take: (message: string, started: Promise<{ id: string }>) => void;
  /**
   * Removes and returns the next step for a call of the model: of the question whose turn, or a turn below it, makes
   * the call. For a call of another turn it is the next step that no question has taken.
   * @param key the idempotency key of the call
   */
  next: (key: string, client: TurnFinder) => Promise<ScriptStep | undefined>;
  /** Lists the scripts with steps that no call has taken, oldest first. */
  listUnused: () => readonly Script[];
}

interface TakenScript extends Script {
  /** Undefined when the question has started no turn. */
  turnId: Promise<string | undefined>;
}

/** Creates the scripts of a test; no answer is set yet. */
export function createScripts(): Scripts {
  const replaced: Script[] = [];
  const taken: TakenScript[] = [];
  let set: Script = { steps: [], message: null };
  return {
    set: (steps) => {
      replaced.push(set);
      set = { steps: [...steps], message: null };
    },
    take: (message, started) => {
      const turnId = started.then(
        ({ id }) => id,
        () => undefined,
      );
      taken.push({ ...set, message, turnId });
      set = { steps: [], message: null };
    },
    next: async (key, client) => {
      const started = new Map<string, Script>();
      for (const script of taken) {
        const turnId = await script.turnId;
        if (turnId !== undefined) started.set(turnId, script);
      }
      const own = [...started].findLast(([turnId]) => isCallOf(key, turnId));
      const script = own?.[1] ?? (await findAbove(key, client, started));
      // Calls of swarms and summaries belong to no turn below a question.
      return (script ?? [set, taken.at(-1)].find((one) => one && one.steps.length > 0))?.steps.shift();
    },
    listUnused: () => [...replaced, ...taken, set].filter(({ steps }) => steps.length > 0),
  };
}

/** Finds the script of the turn above the one that makes a call. A turn is open while one below it runs. */
async function findAbove(
  key: string,
  client: TurnFinder,
  scripts: ReadonlyMap<string, Script>,
): Promise<Script | undefined> {
  const { items } = await client.turns.find({ outcome: 'open', limit: 100 });
  let turn = items.find(({ id }) => isCallOf(key, id));
  while (turn && !scripts.has(turn.id)) {
    const { parentTurnId } = turn;
    turn = items.find(({ id }) => id === parentTurnId);
  }
  return turn && scripts.get(turn.id);
}

function isCallOf(key: string, turnId: string): boolean {
  for (let iteration = 1; iteration <= limitBounds.maxIterations.max; iteration += 1) {
    if (isKeyOfIteration(key, turnId, iteration)) return true;
  }
  return false;
}
