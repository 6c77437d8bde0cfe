import { expect, test } from 'vitest';
import { assertAddressAllowed } from '../../../src/platform/egress/address-rules.ts';

test.each([
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'fd00:100::100:200',
])('the cloud address %s is refused also when private addresses are allowed, and by a name', (address) => {
  const rules = { allowLoopback: true, allowPrivate: true };
  const forms = address.includes(':') ? [address, `${address}%eth0`] : [address, `::ffff:${address}`];
  for (const form of forms)
    for (const host of [form, 'inside.example'])
      expect(() => assertAddressAllowed(host, form, rules)).toThrow('are refused');
});

test('the addresses beside those are private or public ones as all others', () => {
  for (const address of ['100.100.100.201', '168.63.129.17', 'fd00:ec3::254', 'fd20:ce::253'])
    expect(() => assertAddressAllowed(address, address, { allowPrivate: true })).not.toThrow();
});
