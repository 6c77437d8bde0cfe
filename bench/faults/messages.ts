import pg from 'pg';
import type { TurnStatus } from '../../src/domain/turn-status.ts';

/** A message that the API has accepted. */
export interface SentMessage {
  text: string;
  onBusy: 'steer' | 'enqueue';
}

/** A message of a user as it is stored, with the turn that it belongs to. */
export interface StoredMessage {
  text: string;
  status: TurnStatus;
}

interface ConversationEvidence {
  /** In the order in which they were accepted. */
  sent: SentMessage[];
  stored: StoredMessage[];
  /** The texts of the user in the last prompt of the conversation. */
  prompted: string[];
}

/** Reads the messages of users in conversations. */
export async function readMessages(databaseUrl: string, conversationIds: string[]) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<StoredMessage & { conversationId: string }>(
      `SELECT m.conversation_id AS "conversationId", m.text, t.status FROM messages m JOIN turns t ON t.id = m.turn_id
       WHERE m.role = 'user' AND m.conversation_id = ANY($1)`,
      [conversationIds],
    );
    return Map.groupBy(rows, ({ conversationId }) => conversationId);
  } finally {
    await client.end();
  }
}

/**
 * Finds the messages that are not answered exactly once and in order. A message that steers may overtake those that wait
 * for a separate turn. Returns one sentence for each problem.
 */
export function findMessageProblems({ sent, stored, prompted }: ConversationEvidence): string[] {
  const overtaken = sent.flatMap(({ text, onBusy }, index) =>
    sent
      .slice(index + 1)
      .filter((later) => onBusy === 'steer' || later.onBusy === 'enqueue')
      .filter((later) => isBefore(prompted, later.text, text))
      .map((later) => `${later.text} stands before ${text}`),
  );
  const unknown = prompted.filter((text) => !sent.some((one) => one.text === text));
  return [
    ...sent.flatMap(({ text }) => checkMessage(text, stored, prompted)),
    ...overtaken,
    ...unknown.map((text) => `"${text}" was never accepted`),
  ];
}

function checkMessage(text: string, stored: StoredMessage[], prompted: string[]): string[] {
  const rows = stored.filter((one) => one.text === text);
  const seen = prompted.filter((one) => one === text).length;
  const answers = rows.map(({ status }) => status);
  const isAnswered = answers.length === 1 && answers.every((status) => answering.includes(status));
  return [
    ...(seen === 1 ? [] : [`${text} was seen ${seen} times by the model`]),
    ...(isAnswered ? [] : [`${text} belongs to ${answers.length} turns (${answers.join()})`]),
  ];
}

/**
 * Finds the messages of conversations in which turns are cancelled that belong to no turn or to several, that a prompt has
 * twice, that failed, or that no model has seen although their turns do not say so. Returns one sentence for each problem.
 */
export function findCancelledMessageProblems(
  texts: string[],
  stored: StoredMessage[],
  mostOf: (text: string) => number,
): string[] {
  return texts.flatMap((text) => {
    const statuses = stored.filter((one) => one.text === text).map(({ status }) => status);
    const [status] = statuses;
    if (status === undefined || statuses.length > 1)
      return [`${text} belongs to ${statuses.length} turns (${statuses.join()})`];
    const seen = mostOf(text);
    const isUnseen = seen === 0 && seeing.includes(status);
    return [
      ...(seen > 1 ? [`${text} stands ${seen} times in a prompt`] : []),
      ...(isUnseen ? [`${text} is ${status}, and no model has seen it`] : []),
      ...(status === 'failed' ? [`${text} has failed`] : []),
    ];
  });
}

/** The ends of turns that say that a model has seen the message. */
const seeing: TurnStatus[] = ['completed', 'iteration_limit', 'steered'];

/** The ends of turns with an answer to their messages. */
const answering: TurnStatus[] = ['completed', 'iteration_limit'];

function isBefore(texts: string[], one: string, other: string): boolean {
  return texts.includes(one) && texts.includes(other) && texts.indexOf(one) < texts.indexOf(other);
}
