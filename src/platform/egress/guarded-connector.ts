import { lookup as lookupAddresses, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { assertAddressAllowed, bareHost, type AddressRules } from './address-rules.ts';

/** Resolves a host name to its addresses. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

interface GuardedConnectorOptions extends AddressRules {
  connectTimeoutMs: number;
  /** @default the resolver of the operating system */
  resolveHost?: ResolveHost | undefined;
}

/** Errors of opening a socket: no part of a request was sent. */
const connectErrors = new WeakSet<Error>();

/** Returns whether an error came from opening the socket. */
export function isConnectError(error: unknown): boolean {
  return error instanceof Error && connectErrors.has(error);
}

const resolveWithSystem: ResolveHost = (hostname) =>
  new Promise((resolve, reject) => {
    lookupAddresses(hostname, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });

/**
 * Resolves a host and checks all of its addresses. One refused address refuses the host, since a name with a public
 * and a private address is a trick to reach the private one (DNS rebinding).
 */
async function resolveAllowed(hostname: string, options: GuardedConnectorOptions): Promise<LookupAddress[]> {
  const addresses = await (options.resolveHost ?? resolveWithSystem)(hostname);
  for (const { address } of addresses) assertAddressAllowed(hostname, address, options);
  return addresses;
}

function createGuardedLookup(options: GuardedConnectorOptions): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolveAllowed(hostname, options).then(
      (addresses) => {
        const [first] = addresses.filter(
          (entry) => !family || family === `IPv${entry.family}` || family === entry.family,
        );
        if (all) callback(null, addresses);
        else if (first) callback(null, first.address, first.family);
        else
          callback(Object.assign(new Error(`No address found for ${hostname}`), { code: 'ENOTFOUND' }), '');
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}

/**
 * Creates a connector of undici that opens sockets to allowed addresses only. The addresses of a name are checked in
 * the lookup that the socket uses; IP literals are checked before, since Node does not look them up.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    lookup: createGuardedLookup(options),
  });
  return (target, callback) => {
    const fail = (error: Error) => {
      connectErrors.add(error);
      callback(error, null);
    };
    try {
      const host = bareHost(target.hostname);
      if (isIP(host) !== 0) assertAddressAllowed(host, host, options);
    } catch (error) {
      fail(error as Error);
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error) fail(error);
      else callback(null, socket);
    });
  };
}
