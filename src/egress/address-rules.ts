import ipaddr from 'ipaddr.js';
import { HoldfastError } from '../domain/errors.ts';

/** Which addresses, beside the public ones, may be reached. */
export interface AddressRules {
  /** 127.0.0.0/8 and ::1. @default false */
  allowLoopback?: boolean;
  /** Private networks, unique local and shared (CGNAT) addresses. @default false */
  allowPrivate?: boolean;
}

/** Clouds answer with credentials here; these stay refused where private addresses are allowed. */
const metadataAddresses = new Set(['169.254.169.254', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254']);

const privateRanges = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat']);

/** The global unicast block: what IANA has not given out for use lies outside of it. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Says why an address may not be reached, or null when it may.
 * Only public unicast addresses are allowed, and what the rules add; so IPv6 forms that carry an IPv4
 * address (mapped, NAT64, 6to4, Teredo) are all refused, whatever they carry.
 */
export function refusalOfAddress(address: string, rules: AddressRules): string | null {
  if (!ipaddr.isValid(address)) return 'it is not an IP address';
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.has(parsed.toString())) return 'it is a cloud metadata address';
  const range = parsed.range();
  if (range === 'loopback' && rules.allowLoopback) return null;
  if (privateRanges.has(range) && rules.allowPrivate) return null;
  const isPublic = range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalIpv6));
  return isPublic ? null : `it is not a public address (${range})`;
}

/** The host of a URL as `node:net` knows it: IPv6 without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Checks one address that a host stands for.
 * @throws HoldfastError EGRESS_REFUSED
 */
export function assertAddressAllowed(host: string, address: string, rules: AddressRules): void {
  const refusal = refusalOfAddress(address, rules);
  if (refusal === null) return;
  const subject = host === address ? address : `"${host}" (${address})`;
  throw new HoldfastError('EGRESS_REFUSED', `Requests to ${subject} are refused: ${refusal}.`);
}
