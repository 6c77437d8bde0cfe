import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { fillPath } from '../../src/engines/providers/request-path.ts';

const zone_id = z.string().min(1).max(32).describe('Id of the zone, from listZones');
const dns_record_id = z.string().min(1).max(32).describe('Id of the record, from listDnsRecords');
const type = z.enum(['A', 'AAAA', 'CAA', 'CNAME', 'HTTPS', 'MX', 'NS', 'PTR', 'SRV', 'SVCB', 'TLSA', 'TXT']);
const name = z
  .string()
  .min(1)
  .max(255)
  .describe('The whole name, such as www.example.com; @ for the zone itself');
const recordFields = {
  content: z
    .string()
    .describe('The address, name or text; not for CAA, HTTPS, SRV, SVCB and TLSA')
    .optional(),
  data: z
    .looseObject({})
    .describe(
      'For CAA, HTTPS, SRV, SVCB and TLSA, such as { "flags": 0, "tag": "issue", "value": "ca.example" }',
    )
    .optional(),
  priority: z.int().min(0).max(65_535).describe('For MX').optional(),
  proxied: z.boolean().describe('Through Cloudflare; only for A, AAAA and CNAME').optional(),
  ttl: z.int().min(1).max(86_400).describe('Seconds from 30; 1 is automatic').optional(),
  comment: z.string().max(500).optional(),
  tags: z.array(z.string()).describe('Such as owner:web').optional(),
};
const match = z.enum(['all', 'any']).describe('Whether all filters must fit').optional();
const list = z.array(z.string().min(1)).min(1).max(100);

export const cloudflare = defineProvider({
  name: 'cloudflare',
  title: 'Cloudflare',
  description: 'Manage the zones, DNS records and cache of sites at Cloudflare.',
  category: 'infrastructure',
  baseUrl: 'https://api.cloudflare.com/client/v4',
  auth: {
    types: ['bearer', 'keys'],
    keys: {
      email: { title: 'E-mail of the account', header: 'X-Auth-Email' },
      apiKey: { title: 'Global API key', header: 'X-Auth-Key' },
    },
    hint: 'An API token of the profile that may read zones; the global key can do everything.',
  },
  setup: [
    'In the [Cloudflare dashboard](https://dash.cloudflare.com/profile/api-tokens), open *My Profile*, *API Tokens*.',
    'Create a token with the permissions *Zone: Read*, *DNS: Edit* and *Cache Purge: Purge* for the zones that agents may change, and copy it.',
  ],
  // The request for tokens at /user/tokens/verify refuses the global key.
  verify: { request: 'GET /zones', query: { per_page: 5 } },
  // 1,200 in five minutes: https://developers.cloudflare.com/fundamentals/api/reference/limits
  rateLimit: { tokensPerMinute: 240 },
  errors: {
    when: { at: 'success', oneOf: [false] },
    message: ['errors.0.message'],
    details: ['errors', 'errors.0.error_chain'],
  },
  operations: {
    listZones: {
      description:
        'List the zones (sites) of the account with ids, states and name servers, or find one by its name. Does not return DNS records.',
      input: z.strictObject({
        name: z.string().max(253).describe('The domain, such as example.com').optional(),
        status: z.enum(['initializing', 'pending', 'active', 'moved']).optional(),
        account_id: z.string().max(32).optional(),
        order: z.enum(['name', 'status', 'account.id', 'account.name']).optional(),
        direction: z.enum(['asc', 'desc']).optional(),
        match,
      }),
      request: 'GET /zones',
      rename: { account_id: 'account.id' },
      effect: 'read_only',
      paging: { style: 'page', field: 'page', items: 'result', size: { field: 'per_page', min: 5, max: 50 } },
      keep: ['id', 'name', 'account', 'name_servers', 'development_mode', 'activated_on', 'modified_on'],
    },
    // Records are small, and each type has other fields, so they are not trimmed.
    listDnsRecords: {
      description:
        'List the DNS records of a zone, by type, name or content. Returns the ids that updateDnsRecord and deleteDnsRecord need.',
      input: z.strictObject({
        zone_id,
        type: type.optional(),
        name: name.optional(),
        content: z.string().optional(),
        search: z.string().describe('A part of any field').optional(),
        proxied: z.boolean().optional(),
        order: z.enum(['type', 'name', 'content', 'ttl', 'proxied']).optional(),
        direction: z.enum(['asc', 'desc']).optional(),
        match,
      }),
      request: 'GET /zones/{zone_id}/dns_records',
      effect: 'read_only',
      paging: {
        style: 'page',
        field: 'page',
        items: 'result',
        size: { field: 'per_page', min: 5, max: 100 },
      },
    },
    createDnsRecord: {
      description:
        'Add a DNS record to a zone; it answers queries within seconds. Returns the record with its id. Does not replace a record of the same name.',
      input: z.strictObject({ zone_id, type, name, ...recordFields }),
      request: 'POST /zones/{zone_id}/dns_records',
      effect: 'unsafe',
      result: 'result',
    },
    updateDnsRecord: {
      description:
        'Change fields of one DNS record; fields that are left out stay as they are. Returns the record. To find its id, use listDnsRecords.',
      input: z.strictObject({
        zone_id,
        dns_record_id,
        type: type.optional(),
        name: name.optional(),
        ...recordFields,
      }),
      request: 'PATCH /zones/{zone_id}/dns_records/{dns_record_id}',
      effect: 'idempotent',
      result: 'result',
    },
    deleteDnsRecord: {
      description:
        'Delete one DNS record of a zone for good; its name stops resolving. Returns the id of the record.',
      input: z.strictObject({ zone_id, dns_record_id }),
      // The document wants a body, which may be empty.
      request: (input) => ({
        method: 'DELETE',
        path: fillPath('/zones/{zone_id}/dns_records/{dns_record_id}', input),
        body: {},
      }),
      effect: 'idempotent',
      destructive: true,
      result: 'result',
    },
    purgeCache: {
      description:
        'Remove cached files of a zone, so that the next visitors get them from its own server. Give one of the fields. Does not delete the files themselves.',
      input: z.strictObject({
        zone_id,
        files: list.describe('Addresses, such as https://example.com/style.css').optional(),
        tags: list.describe('Values of the Cache-Tag header').optional(),
        hosts: list.describe('Such as www.example.com').optional(),
        prefixes: list.describe('Such as www.example.com/docs').optional(),
        purge_everything: z.literal(true).describe('The whole cache; slows the site for a while').optional(),
      }),
      request: 'POST /zones/{zone_id}/purge_cache',
      effect: 'idempotent',
      destructive: true,
      result: 'result',
    },
  },
});
