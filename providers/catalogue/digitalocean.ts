import { z } from 'zod';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const droplet_id = z.int().min(1).describe('Id of the Droplet, from listDroplets');
const domain_name = z.string().min(1).max(253).describe('A domain of the account, such as example.com');
const size = z.string().min(1).describe('Slug of the size, such as s-1vcpu-1gb');
const image = z.union([z.string().min(1), z.int()]);
const backup_policy = z
  .strictObject({
    plan: z.enum(['daily', 'weekly']),
    weekday: z.enum(['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']).optional(),
    hour: z.literal([0, 4, 8, 12, 16, 20]).describe('UTC').optional(),
  })
  .optional();
const reading: NeededScope[] = ['read'];
const writing: NeededScope[] = ['read', 'write'];
const size200 = { field: 'per_page', max: 200 } as const;
const keptDroplet = [
  ...['id', 'name', 'status', 'locked', 'memory', 'vcpus', 'disk', 'size_slug', 'region.slug', 'image.slug'],
  ...['image.name', 'networks.v4.ip_address', 'networks.v4.type', 'networks.v6.ip_address', 'tags'],
  ...['snapshot_ids', 'vpc_uuid', 'created_at'],
];

export const digitalocean = defineProvider({
  name: 'digitalocean',
  title: 'DigitalOcean',
  description: 'Run Droplets and DNS records at DigitalOcean, and see what they cost.',
  category: 'infrastructure',
  baseUrl: 'https://api.digitalocean.com',
  auth: {
    types: ['bearer', 'oauth2_authorization_code'],
    oauth: {
      authorizationUrl: 'https://cloud.digitalocean.com/v1/oauth/authorize',
      tokenUrl: 'https://cloud.digitalocean.com/v1/oauth/token',
      scopes: ['read'],
      clientAuthentication: 'post',
    },
    hint: 'A personal access token of the API page of the control panel.',
  },
  setup: [
    'In the [control panel](https://cloud.digitalocean.com/account/api/tokens), open *API*, *Tokens*.',
    'Generate a token with custom scopes, such as `account:read`, `droplet` and `domain`, and copy it.',
    'For OAuth, register an application under *API*, *OAuth Applications* instead.',
  ],
  verify: { request: 'GET /v2/account', account: ['account.email', 'account.team.name'] },
  // 5,000 an hour: https://docs.digitalocean.com/reference/api/reference/#rate-limit
  rateLimit: { tokensPerMinute: 83 },
  throttle: { wait: [{ header: 'ratelimit-reset', unit: 'epoch' }] },
  errors: { message: ['message'] },
  operations: {
    listDroplets: {
      description:
        'List the Droplets (virtual machines) of the account, by name or tag. Returns ids, addresses, sizes and states.',
      input: z.strictObject({
        name: z.string().describe('The exact name').optional(),
        tag_name: z.string().describe('Not with name').optional(),
        type: z.enum(['droplets', 'gpus']).optional(),
      }),
      request: 'GET /v2/droplets',
      effect: 'read_only',
      scopes: reading,
      paging: { style: 'page', field: 'page', items: 'droplets', size: size200 },
      keep: keptDroplet,
    },
    getDroplet: {
      description:
        'Get one Droplet by its id with its addresses, size, image and state. Does not return its load.',
      input: z.strictObject({ droplet_id }),
      request: 'GET /v2/droplets/{droplet_id}',
      effect: 'read_only',
      scopes: reading,
      result: 'droplet',
      keep: keptDroplet,
    },
    createDroplet: {
      description:
        'Create a Droplet, which costs money from then on. Returns its id at once; its addresses are in getDroplet when it is active, about a minute later.',
      input: z.strictObject({
        name: z.string().min(1).max(255).describe('A host name'),
        size,
        image: image.describe('Slug of a public image, such as ubuntu-24-04-x64, or id of an own one'),
        region: z.string().describe('Slug, such as fra1; without it DigitalOcean chooses').optional(),
        ssh_keys: z.array(image).describe('Ids or fingerprints of keys of the account').optional(),
        tags: z.array(z.string().min(1).max(255)).optional(),
        user_data: z.string().max(65_536).describe('For cloud-init').optional(),
        vpc_uuid: z.string().optional(),
        ipv6: z.boolean().optional(),
        monitoring: z.boolean().optional(),
        backups: z.boolean().optional(),
        backup_policy,
      }),
      request: 'POST /v2/droplets',
      effect: 'unsafe',
      scopes: writing,
      result: 'droplet',
      keep: keptDroplet,
    },
    runDropletAction: {
      description:
        'Reboot, power, resize, snapshot, rename or rebuild a Droplet. Returns the action, which goes on after the call. Restore and rebuild delete what is on the disk.',
      input: z.strictObject({
        droplet_id,
        type: z.enum([
          ...(['reboot', 'power_cycle', 'shutdown', 'power_off', 'power_on', 'snapshot', 'resize'] as const),
          ...(['rebuild', 'restore', 'rename', 'password_reset', 'enable_ipv6'] as const),
          ...(['enable_backups', 'disable_backups', 'change_backup_policy'] as const),
        ]),
        name: z.string().min(1).describe('For rename, and for snapshot').optional(),
        size: size.describe('For resize: slug of the new size').optional(),
        disk: z.boolean().describe('For resize: the disk too, which cannot be made smaller again').optional(),
        image: image.describe('For rebuild: slug or id; for restore: id of a backup').optional(),
        backup_policy,
      }),
      request: 'POST /v2/droplets/{droplet_id}/actions',
      effect: 'unsafe',
      destructive: true,
      scopes: writing,
      result: 'action',
      keep: ['id', 'status', 'type', 'started_at', 'completed_at', 'resource_id'],
    },
    deleteDroplet: {
      description:
        'Destroy a Droplet and its disk for good, without a backup. Its volumes and snapshots stay. Returns nothing.',
      input: z.strictObject({ droplet_id }),
      request: 'DELETE /v2/droplets/{droplet_id}',
      effect: 'idempotent',
      scopes: writing,
    },
    listDomainRecords: {
      description:
        'List the DNS records of a domain with their ids, by type or by name. Does not list the domains.',
      input: z.strictObject({
        domain_name,
        name: z.string().describe('The whole name, such as www.example.com').optional(),
        type: z.enum(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SOA', 'SRV', 'TXT']).optional(),
      }),
      request: 'GET /v2/domains/{domain_name}/records',
      effect: 'read_only',
      scopes: reading,
      paging: { style: 'page', field: 'page', items: 'domain_records', size: size200 },
    },
    createDomainRecord: {
      description:
        'Add a DNS record to a domain of the account. Returns the record with its id. Does not replace a record of the same name.',
      input: z.strictObject({
        domain_name,
        type: z.enum(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']),
        name: z.string().min(1).describe('Relative to the domain, such as www; @ for the domain itself'),
        data: z.string().min(1).describe('The address or text; names of other hosts end with a dot'),
        priority: z.int().min(0).describe('For MX and SRV').optional(),
        port: z.int().min(0).max(65_535).describe('For SRV').optional(),
        weight: z.int().min(0).describe('For SRV').optional(),
        flags: z.int().min(0).max(255).describe('For CAA').optional(),
        tag: z.enum(['issue', 'issuewild', 'iodef']).describe('For CAA').optional(),
        ttl: z.int().min(30).describe('Seconds').default(1800),
      }),
      request: 'POST /v2/domains/{domain_name}/records',
      effect: 'unsafe',
      scopes: writing,
      result: 'domain_record',
    },
    getBalance: {
      description:
        'Get the balance of the account and what was used this month, in US dollars. Does not return invoices.',
      input: z.strictObject({}),
      request: 'GET /v2/customers/my/balance',
      effect: 'read_only',
      scopes: reading,
    },
  },
});
