import type { ProviderRequests } from './request-case.ts';

export const digitaloceanRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listDroplets: {
      input: { tag_name: 'web', max_items: 10 },
      method: 'GET',
      target: '/v2/droplets?tag_name=web&per_page=10',
    },
    getDroplet: { input: { droplet_id: 3164494 }, method: 'GET', target: '/v2/droplets/3164494' },
    createDroplet: {
      input: {
        name: 'kettle.example.com',
        size: 's-1vcpu-1gb',
        image: 'ubuntu-24-04-x64',
        region: 'fra1',
        ssh_keys: [289794],
        tags: ['web'],
      },
      method: 'POST',
      target: '/v2/droplets',
      body:
        '{"name":"kettle.example.com","size":"s-1vcpu-1gb","image":"ubuntu-24-04-x64","region":"fra1",' +
        '"ssh_keys":[289794],"tags":["web"]}',
    },
    runDropletAction: {
      destructive: true,
      input: { droplet_id: 3164494, type: 'resize', size: 's-2vcpu-2gb', disk: false },
      method: 'POST',
      target: '/v2/droplets/3164494/actions',
      body: '{"type":"resize","size":"s-2vcpu-2gb","disk":false}',
    },
    deleteDroplet: {
      destructive: true,
      input: { droplet_id: 3164494 },
      method: 'DELETE',
      target: '/v2/droplets/3164494',
    },
    listDomainRecords: {
      input: { domain_name: 'example.com', type: 'A' },
      method: 'GET',
      target: '/v2/domains/example.com/records?type=A&per_page=100',
    },
    createDomainRecord: {
      input: { domain_name: 'example.com', type: 'A', name: 'www', data: '162.10.66.0' },
      method: 'POST',
      target: '/v2/domains/example.com/records',
      body: '{"type":"A","name":"www","data":"162.10.66.0","ttl":1800}',
    },
    getBalance: { input: {}, method: 'GET', target: '/v2/customers/my/balance' },
  },
};
