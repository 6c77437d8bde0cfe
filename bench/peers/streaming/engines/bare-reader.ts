import type { StartStreamingPeer } from '../contract.ts';
import { readModel, runTool, type ChatMessage } from '../read-model.ts';

/** A loop without a library that stores nothing: the least that a program needs to stream the answers of a model. */
export const start: StartStreamingPeer = ({ modelUrl }) =>
  Promise.resolve({
    runTurn: async ({ message }, reader) => {
      const messages: ChatMessage[] = [{ role: 'user', content: message }];
      for (;;) {
        const pieces = readModel(modelUrl, messages);
        let next = await pieces.next();
        for (; !next.done; next = await pieces.next()) reader.piece(next.value);
        reader.message(next.value.content);
        const result = runTool(next.value);
        if (result === null) return;
        messages.push(next.value, result);
      }
    },
    close: () => Promise.resolve(),
  });
