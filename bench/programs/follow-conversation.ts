import { get } from 'node:http';
import { monotonicMs } from '../clock.ts';
import { readStamps } from './stamps.ts';

/** A turn as the event stream of its conversation showed it to a reader. */
export interface FollowedTurn {
  outcome: string;
  /** How long after the model wrote it the first piece of each answer arrived, in milliseconds. */
  firstPiecesMs: number[];
  /** The same for the later pieces. */
  laterPiecesMs: number[];
  /** How many pieces the finished messages have. */
  storedPieces: number;
}

/** The open event stream of a conversation. */
export interface ConversationStream {
  /** Resolves with the next turn that ends; rejects when the stream breaks before. */
  nextTurn: () => Promise<FollowedTurn>;
  close: () => void;
}

interface StreamAddress {
  url: string;
  apiKey: string;
}

const frameEnd = '\n\n';

/** Opens the event stream of a conversation and reads all of it. */
export async function followConversation({ url, apiKey }: StreamAddress): Promise<ConversationStream> {
  let waiting = Promise.withResolvers<FollowedTurn>();
  let pieces = collectPieces();
  const opened = Promise.withResolvers<undefined>();
  const fail = (error: Error): void => {
    opened.reject(error);
    waiting.reject(error);
  };
  const take = (frame: string): void => {
    if (frame.includes('event: text.delta')) pieces.addDelta(frame);
    else if (frame.includes('event: message.created')) pieces.addMessage(frame);
    else if (frame.includes('event: turn.settled')) {
      waiting.resolve({ outcome: toOutcome(frame), ...pieces.take() });
      pieces = collectPieces();
    }
  };
  const request = get(url, { headers: { authorization: `Bearer ${apiKey}` }, agent: false });
  request.on('error', fail);
  request.on('response', (response) => {
    if (response.statusCode === 200) opened.resolve(undefined);
    else fail(new Error(`${url} answered ${response.statusCode}`));
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      const frames = (text + part).split(frameEnd);
      text = frames.pop() ?? '';
      frames.forEach(take);
    });
    response.on('error', fail);
    response.on('close', () => fail(new Error(`${url} was closed`)));
  });
  waiting.promise.catch(() => undefined);
  await opened.promise;
  return {
    nextTurn: () => {
      waiting = Promise.withResolvers<FollowedTurn>();
      waiting.promise.catch(() => undefined);
      return waiting.promise;
    },
    close: () => request.destroy(),
  };
}

/** Collects the delays of the pieces of a turn. */
function collectPieces() {
  const all: Omit<FollowedTurn, 'outcome'> = { firstPiecesMs: [], laterPiecesMs: [], storedPieces: 0 };
  let isFirst = true;
  return {
    addDelta: (frame: string) => {
      const now = monotonicMs();
      for (const writtenAt of readStamps(frame)) {
        (isFirst ? all.firstPiecesMs : all.laterPiecesMs).push(now - writtenAt);
        isFirst = false;
      }
    },
    addMessage: (frame: string) => {
      all.storedPieces += readStamps(frame).length;
      isFirst = true;
    },
    take: () => all,
  };
}

function toOutcome(frame: string): string {
  return /"outcome":"(\w+)"/.exec(frame)?.[1] ?? 'unknown';
}
