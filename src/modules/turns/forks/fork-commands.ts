import { operation } from '../../../clients/cli/command-table.ts';
import { invalid } from '../../../clients/cli/option-values.ts';
import type { ForkConversationData } from '../../../clients/client/index.ts';
import { toOneLine } from '../../../domain/text.ts';

/** A comma before the next result, since results hold commas themselves. */
const nextResult = /,(?=[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}=)/i;

/** `conversations fork`: it waits for the end of the turn that runs in the fork. */
export const forkConversation = operation('forkConversation', {
  description: 'Run a turn anew in a copy of its conversation.',
  fields: {
    turnId: 'the turn to run anew',
    iteration: 'keep the steps of the turn up to this one',
    message: 'another message',
    toolResults: {
      flags: '--result, --results <call=text...>',
      text: 'another result of a tool call in a kept step',
      list: nextResult,
      parse: toToolResult,
    },
    agentVersionId: 'the agent version that runs the turn',
    tools: { flags: '--live', text: 'run the tools, in place of recorded results', parse: () => 'live' },
    run: 'only copy what was before the turn',
  },
  call: async ({ client }, { id, input }) => {
    const { conversation, turn } = await client.conversations.fork(id, input as ForkConversationData['body']);
    return { conversation, turn: turn && (await client.turns.wait(turn.id)) };
  },
  lines: ({ conversation, turn }, { id }) => [
    `Conversation ${conversation.id} is a fork of ${id}.`,
    turn && `Turn ${turn.id} is ${(turn.outcome ?? turn.status).replaceAll('_', ' ')}.`,
    ...(turn?.toolCalls ?? []).map(
      ({ iteration, name, status, answeredBy }) =>
        `  ${iteration}  ${name}  ${status}  ${answeredBy ?? 'ran'}`,
    ),
    turn && (turn.answer ?? ''),
  ],
});

function toToolResult(text: string) {
  const end = text.indexOf('=');
  if (end === -1)
    throw invalid(`--result: expected the id of a tool call, "=" and its result, found ${text}`);
  return { toolCallId: text.slice(0, end), result: text.slice(end + 1) };
}

/** `conversations compare`: how a fork differs from its parent or from another fork. */
export const compareForks = operation('compareConversations', {
  description: 'Compare a fork with its parent, or with another fork.',
  fields: { with: 'the other one' },
  lines: ({ comparison: { trajectory, firstDifference: first, scores } }) => {
    const shown = Object.entries(scores).map(([name, score]) => `${name} ${score.toFixed(2)}`);
    const head = `Trajectory: ${trajectory.replaceAll('_', ' ')}. Scores: ${shown.join(', ')}.`;
    if (first === null) return [head, 'There is no difference.'];
    const { turn, iteration, kind, expected, found } = first;
    return [
      head,
      `First difference: turn ${turn}, step ${iteration}, ${kind.replaceAll('_', ' ')}.`,
      `  expected  ${toOneLine(expected, 200)}`,
      `  found     ${toOneLine(found, 200)}`,
    ];
  },
});
