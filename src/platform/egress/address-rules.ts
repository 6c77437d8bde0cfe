import ipaddr from 'ipaddr.js';
import { HoldfastError } from '../../domain/errors.ts';

/** The addresses that may be reached beside public ones. */
export interface AddressRules {
  /** 127.0.0.0/8 and ::1. @default false */
  allowLoopback?: boolean;
  /** Private networks, unique local and shared (CGNAT) addresses. @default false */
  allowPrivate?: boolean;
}

/** Addresses where clouds hand out credentials; they are refused also when private addresses are allowed. */
const metadataAddresses = new Set(['169.254.169.254', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254']);

const privateRanges = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat']);

/** The global unicast block of IPv6; addresses outside of it are not public. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns why an address may not be reached, or null when it may. Only public unicast addresses and those of the
 * rules are allowed, so all IPv6 forms that carry an IPv4 address (mapped, NAT64, 6to4, Teredo) are refused.
 */
function refusalOfAddress(address: string, rules: AddressRules): string | null {
  if (!ipaddr.isValid(address)) return 'it is not an IP address';
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.has(parsed.toString())) return 'it is a cloud metadata address';
  const range = parsed.range();
  if (range === 'loopback' && rules.allowLoopback) return null;
  if (privateRanges.has(range) && rules.allowPrivate) return null;
  const isPublic = range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalIpv6));
  return isPublic ? null : `it is not a public address (${range})`;
}

/** Returns the host of a URL in the form of `node:net`: IPv6 without brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Checks one address of a host. The message of a refusal does not say what a name resolves to, since that would
 * let a caller that names hosts map the private network; the cause, which only the log shows, says it.
 * @throws HoldfastError EGRESS_REFUSED when it may not be reached
 */
export function assertAddressAllowed(host: string, address: string, rules: AddressRules): void {
  const refusal = refusalOfAddress(address, rules);
  if (refusal === null) return;
  const hint = namesThisMachine(host) ? loopbackHint : '';
  if (host === address)
    throw new HoldfastError('EGRESS_REFUSED', `Requests to ${address} are refused: ${refusal}.${hint}`);
  const message = `Requests to "${host}" are refused: it has no public address.${hint}`;
  throw new HoldfastError('EGRESS_REFUSED', message, {
    cause: new Error(`"${host}" resolves to ${address}: ${refusal}`),
  });
}

const loopbackHint =
  ' To reach servers on the machine of Holdfast, the operator can set HOLDFAST_ALLOW_LOOPBACK=connections for ' +
  'connections and webhooks, or HOLDFAST_ALLOW_LOOPBACK=true for tools such as http_request too.';

/** Any other name that resolves to loopback gets no hint: it would show a tenant what the name resolves to. */
function namesThisMachine(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.parse(host).range() === 'loopback';
  return /^(?:.+\.)?localhost\.?$/i.test(host);
}
