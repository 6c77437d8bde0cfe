import { get } from 'node:http';

/** The open event stream of a conversation. */
export interface ConversationStream {
  /** Resolves with the outcome of the next turn that ends; rejects when the stream breaks before. */
  nextOutcome: () => Promise<string>;
  close: () => void;
}

interface StreamAddress {
  url: string;
  apiKey: string;
}

const frameEnd = '\n\n';

/** Opens the event stream of a conversation and reads all of it. */
export async function followConversation({ url, apiKey }: StreamAddress): Promise<ConversationStream> {
  let waiting = Promise.withResolvers<string>();
  const opened = Promise.withResolvers<undefined>();
  const fail = (error: Error): void => {
    opened.reject(error);
    waiting.reject(error);
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
      for (const frame of frames)
        if (frame.includes('event: turn.settled')) waiting.resolve(toOutcome(frame));
    });
    response.on('error', fail);
    response.on('close', () => fail(new Error(`${url} was closed`)));
  });
  waiting.promise.catch(() => undefined);
  await opened.promise;
  return {
    nextOutcome: () => {
      waiting = Promise.withResolvers<string>();
      waiting.promise.catch(() => undefined);
      return waiting.promise;
    },
    close: () => request.destroy(),
  };
}

function toOutcome(frame: string): string {
  return /"outcome":"(\w+)"/.exec(frame)?.[1] ?? 'unknown';
}
