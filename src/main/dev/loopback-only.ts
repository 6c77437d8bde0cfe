// Loaded before a demo server that would listen on every network of the machine: makes it listen on loopback only.
import { Server } from 'node:net';

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its receiver below
const listen = Server.prototype.listen as (this: Server, ...parameters: unknown[]) => Server;

Server.prototype.listen = function (this: Server, ...[port, ...rest]: unknown[]) {
  return listen.call(
    this,
    { port: Number(port), host: '127.0.0.1' },
    rest.find((one) => typeof one === 'function'),
  );
};
