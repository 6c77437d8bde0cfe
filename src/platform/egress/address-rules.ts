import ipaddr from 'ipaddr.js';
import { HoldfastError } from '../../domain/errors.ts';

/** The addresses that may be reached beside public ones. */
export interface AddressRules {
  /** 127.0.0.0/8 and ::1. @default false */
  allowLoopback?: boolean;
  /** Private networks, unique local and shared (CGNAT) addresses. @default false */
  allowPrivate?: boolean;
}

/**
 * Addresses outside of the link-local ranges where clouds hand out credentials. They are refused also when private addresses
 * are allowed.
 */
const metadataRanges = [
  '100.100.100.200/32', // Alibaba
  'fd00:100::100:200/128',
  '168.63.129.16/32', // Azure, whose address is public
  'fd00:ec2::/32', // AWS: metadata, and the credentials of pods
  'fd20:ce::254/128', // Google
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:42::42/128', // Scaleway
  'fd00:a9fe:a9fe::1/128', // Akamai
].map((range) => ipaddr.parseCIDR(range));

const privateRanges = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat']);

/** The global unicast block of IPv6; addresses outside of it are not public. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns why an address may not be reached, or null when it may. Only public unicast addresses and those of the
 * rules are allowed, so all IPv6 forms that carry an IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP) are refused.
 */
function refusalOfAddress(address: string, rules: AddressRules): string | null {
  if (!ipaddr.isValid(address)) return 'it is not an IP address';
  const parsed = ipaddr.parse(address);
  const isMetadata = metadataRanges.some(
    ([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits),
  );
  if (isMetadata) return 'it is a cloud metadata address';
  const range = parsed.range();
  if (range === 'loopback' && rules.allowLoopback) return null;
  if (privateRanges.has(range) && rules.allowPrivate) return null;
  const isPublic = range === 'unicast' && (parsed instanceof ipaddr.IPv4 || isGlobal(parsed));
  return isPublic ? null : `it is not a public address (${range})`;
}

/** Returns false for the addresses of ISATAP (RFC 5214), which lead to the IPv4 address in their last four bytes. */
function isGlobal(address: ipaddr.IPv6): boolean {
  const [, , , , mark = 0, isatap] = address.parts;
  return address.match(globalIpv6) && !((mark & 0xfdff) === 0 && isatap === 0x5efe);
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
