import { createWorkerRequests } from '../../programs/first-steps.ts';
import { serve } from '../../programs/serve.ts';
import type { StartStreamingPeer, StreamingPeer, StreamingRequests } from './contract.ts';
import { serveConversations } from './serve-conversations.ts';

let peer: StreamingPeer | undefined;
const { measureMemory } = createWorkerRequests().requests;

const requests: StreamingRequests = {
  measureMemory,
  open: async ({ module, ...options }) => {
    const { start } = (await import(`./engines/${module}`)) as { start: StartStreamingPeer };
    peer = await start(options);
    const { url: origin } = await serveConversations(peer.runTurn, console.error);
    return { origin, processes: peer.processes ?? [] };
  },
  close: async () => {
    await peer?.close();
  },
};

// The processes that an engine started end with this one.
process.once('SIGTERM', () => process.exit());
serve(requests);
