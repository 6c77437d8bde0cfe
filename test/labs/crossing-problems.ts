import type { CrossingEvidence } from './crossing-scene.ts';
import { toAnswer } from './crossing-case.ts';

type Sent = CrossingEvidence['sent'][number];

/**
 * Finds the messages that are not in exactly one prompt whose answer is stored, and whose turn does not say why. Returns
 * what is wrong, in words.
 */
export function findCrossingProblems(evidence: CrossingEvidence): string[] {
  return evidence.sent.flatMap((sent) => [
    ...findUnanswered(evidence, sent),
    ...findRepeated(evidence, sent),
  ]);
}

function findUnanswered(evidence: CrossingEvidence, { text, turn }: Sent): string[] {
  const { outcome, steeredInto, id } = turn;
  const isAnswered = outcome === 'completed' || outcome === 'iteration_limit' || outcome === 'steered';
  if (!isAnswered) return turn.answer || turn.error ? [] : [`${text} is ${outcome}, and nothing says why`];
  const answering = listAnswering(evidence, text);
  const owner = outcome === 'steered' ? steeredInto : id;
  return answering[0] === owner
    ? []
    : [`${text} is ${outcome} in ${owner}, but was first answered in ${answering[0] ?? 'no turn'}`];
}

/** The turns with a stored answer to a prompt that has the message, in the order of the answers. */
function listAnswering({ sent, messages, prompts, lastCall }: CrossingEvidence, text: string): string[] {
  const blocked = sent.find(({ turn }) => turn.error?.code === 'ANSWER_BLOCKED')?.turn;
  const stored = prompts.flatMap((prompt, index) => {
    if (!prompt.includes(text)) return [];
    const answer = messages.find(
      (one) => one.role === 'assistant' && one.text.startsWith(toAnswer(index + 1)) && isWhole(one.text),
    );
    return answer ? [answer.turnId] : [];
  });
  // The text of a blocked answer is replaced, so that it does not name its prompt.
  const isBlocked = blocked !== undefined && prompts[lastCall - 1]?.includes(text);
  return [...(isBlocked ? [blocked.id] : []), ...stored];
}

/** A part of an answer that was cut off stands before the reason for which its turn ended. */
function isWhole(text: string): boolean {
  return !text.includes('\n\n');
}

function findRepeated({ prompts }: CrossingEvidence, { text }: Sent): string[] {
  const times = prompts.map((prompt) => prompt.filter((one) => one === text).length);
  return Math.max(0, ...times) > 1 ? [`${text} is ${Math.max(...times)} times in one prompt`] : [];
}
