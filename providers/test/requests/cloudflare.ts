import type { ProviderRequests } from './request-case.ts';

const zone_id = '023e105f4ecef8ad9ca31a8372d0c353';
const dns_record_id = '372e67954025e0ba6aaa6d586b9e0b59';
const records = `/zones/${zone_id}/dns_records`;

export const cloudflareRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listZones: {
      input: { name: 'example.com', account_id: '01a7362d577a6c3019a474fd6f485823', max_items: 1 },
      method: 'GET',
      target: '/zones?name=example.com&account.id=01a7362d577a6c3019a474fd6f485823&per_page=5',
    },
    listDnsRecords: {
      input: { zone_id, type: 'TXT', search: 'spf', order: 'name' },
      method: 'GET',
      target: `${records}?type=TXT&search=spf&order=name&per_page=100`,
    },
    createDnsRecord: {
      input: { zone_id, type: 'A', name: 'tea.example.com', content: '198.51.100.4', proxied: true, ttl: 1 },
      method: 'POST',
      target: records,
      body: '{"type":"A","name":"tea.example.com","content":"198.51.100.4","proxied":true,"ttl":1}',
    },
    updateDnsRecord: {
      input: { zone_id, dns_record_id, type: 'A', name: 'tea.example.com', content: '198.51.100.5' },
      method: 'PATCH',
      target: `${records}/${dns_record_id}`,
      body: '{"type":"A","name":"tea.example.com","content":"198.51.100.5"}',
    },
    deleteDnsRecord: {
      destructive: true,
      input: { zone_id, dns_record_id },
      method: 'DELETE',
      target: `${records}/${dns_record_id}`,
      body: '{}',
    },
    purgeCache: {
      destructive: true,
      input: { zone_id, files: ['https://example.com/style.css'] },
      method: 'POST',
      target: `/zones/${zone_id}/purge_cache`,
      body: '{"files":["https://example.com/style.css"]}',
    },
  },
};
