import { serve } from '../programs/serve.ts';
import type { Peer, PeerRequests, StartPeer } from './contract.ts';
import { runTurns } from './run-turns.ts';

let peer: Peer | undefined;

function getPeer(): Peer {
  if (!peer) throw new Error('the engine was not opened');
  return peer;
}

const requests: PeerRequests = {
  open: async ({ module, ...options }) => {
    const { start } = (await import(`./engines/${module}`)) as { start: StartPeer };
    peer = await start(options);
    return peer.processes ?? [];
  },
  runTurns: (order) => runTurns(getPeer(), order),
  close: () => getPeer().close(),
};

// The processes that an engine started end with this one.
process.once('SIGTERM', () => process.exit());
serve(requests);
