import type { Command } from 'commander';
import { invalid, readJson, readText, toConnectionId } from './option-values.ts';

/** The options of a judge, as they are typed. */
export interface JudgeOptions {
  /** The name of a model. */
  judge?: string;
  judgeConnection?: string;
  /** Files. */
  rubric?: string;
  labels?: string;
}

/** Adds the options of a judge. */
export function addJudge(command: Command): void {
  command
    .option('--judge <model>', 'a model that says which answer is better, the recorded one or the new one')
    .option('--rubric <file>', 'by what it judges')
    .option(
      '--labels <file>',
      'verdicts of people to compare it with, as JSON: better, worse or tie by turn id',
    )
    .option('--judge-connection <id>', 'the connection with its key (default: the key of the operator)');
}

/**
 * Returns the judge of a replay; undefined without one.
 * @throws HoldfastApiError `INVALID_INPUT`
 */
export function toJudge({ judge, judgeConnection, rubric, labels }: JudgeOptions) {
  if (judge === undefined) {
    const alone = Object.entries({ rubric, labels, 'judge-connection': judgeConnection });
    for (const [name, value] of alone) if (value !== undefined) throw invalid(`--${name} needs --judge`);
    return undefined;
  }
  if (rubric === undefined) throw invalid('--judge needs --rubric');
  return {
    model: judge,
    modelConnectionId: toConnectionId(judgeConnection),
    rubric: readText(rubric),
    labels: readJson(labels),
  };
}
