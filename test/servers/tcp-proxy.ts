import { once } from 'node:events';
import net from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy on loopback that can be cut off, as a network or a server that fails would be. */
export interface TcpProxy {
  port: number;
  /** The address of the server, through the proxy. */
  url: string;
  /** Ends all connections and refuses new ones. */
  cut: () => Promise<void>;
  /** Forwards no bytes and closes no socket, as a network that loses every packet, until `release`. */
  hold: () => void;
  release: () => void;
  /** Delays all bytes from now on, in each direction. */
  delay: (delayMs: number) => void;
  /** Accepts connections again. */
  mend: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Starts a proxy for the server at an address such as `postgres://…@127.0.0.1:5432/name`. `onSent` gets the bytes that
 * clients send.
 */
export async function startTcpProxy(
  address: string,
  onSent: (bytes: Buffer) => void = () => undefined,
): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(address);
  const sockets = new Set<net.Socket>();
  let isHolding = false;
  let delayMs = 0;
  const track = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  };
  const server = net.createServer((incoming) => {
    const outgoing = net.connect(Number(targetPort), hostname);
    for (const socket of [incoming, outgoing]) track(socket);
    incoming.on('data', onSent);
    incoming
      .pipe(createDelay(() => delayMs))
      .pipe(outgoing)
      .pipe(createDelay(() => delayMs))
      .pipe(incoming);
    if (isHolding) for (const socket of [incoming, outgoing]) socket.pause();
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const hold = () => {
    for (const socket of sockets) socket.pause();
    isHolding = true;
  };
  const release = () => {
    isHolding = false;
    for (const socket of sockets) socket.resume();
  };
  const url = new URL(address);
  url.host = `127.0.0.1:${port}`;
  return {
    ...{ port, url: url.href, cut, hold, release },
    delay: (ms) => {
      delayMs = ms;
    },
    mend: () => listen(port),
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}

/** Passes chunks on after the delay at the time, in their order, however many are under way. */
function createDelay(toDelayMs: () => number): Transform {
  const underWay: (() => void)[] = [];
  let arrivesAt = 0;
  const arrive = (run: () => void) => {
    const now = performance.now();
    arrivesAt = Math.max(arrivesAt, now + toDelayMs());
    if (arrivesAt === now && underWay.length === 0) {
      run();
      return;
    }
    underWay.push(run);
    // Timers of different lengths may end in another order.
    setTimeout(() => underWay.shift()?.(), arrivesAt - now).unref();
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      arrive(() => this.push(chunk));
      done();
    },
    flush: (done) => arrive(done),
  });
}
