import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of a server, with which a test cuts the server off and lets it come back. */
export interface TcpProxy {
  /** The address of the server, through the proxy. */
  url: string;
  /** Closes every connection and refuses new ones. */
  cut: () => Promise<void>;
  restore: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts a proxy on loopback in front of the server of a URL. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const ownPort = await listen(0);
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const url = new URL(target);
  url.host = `127.0.0.1:${ownPort}`;
  return {
    url: url.href,
    cut,
    restore: async () => {
      await listen(ownPort);
    },
    close: async () => {
      if (server.listening) await cut();
    },
  };
}
