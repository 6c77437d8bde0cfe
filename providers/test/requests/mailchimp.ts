import type { ProviderRequests } from './request-case.ts';

const list_id = 'a1b2c3d4e5';

export const mailchimpRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listAudiences: { input: { max_items: 20 }, method: 'GET', target: '/lists?count=20' },
    listMembers: {
      input: { list_id, status: 'subscribed', max_items: 50, continue_from: '50' },
      method: 'GET',
      target: `/lists/${list_id}/members?status=subscribed&count=50&offset=50`,
    },
    searchMembers: {
      input: { query: 'ana@example.com', list_id },
      method: 'GET',
      target: `/search-members?query=ana%40example.com&list_id=${list_id}`,
    },
    upsertMember: {
      input: {
        list_id,
        email_address: 'ana@example.com',
        status_if_new: 'pending',
        merge_fields: { FNAME: 'Ana' },
      },
      method: 'PUT',
      target: `/lists/${list_id}/members/ana%40example.com`,
      body: '{"email_address":"ana@example.com","status_if_new":"pending","merge_fields":{"FNAME":"Ana"}}',
    },
    tagMember: {
      input: { list_id, email: 'ana@example.com', tags: [{ name: 'Tea', status: 'active' }] },
      method: 'POST',
      target: `/lists/${list_id}/members/ana%40example.com/tags`,
      body: '{"tags":[{"name":"Tea","status":"active"}]}',
    },
    archiveMember: {
      destructive: true,
      input: { list_id, email: 'ana@example.com' },
      method: 'DELETE',
      target: `/lists/${list_id}/members/ana%40example.com`,
    },
    listCampaigns: {
      input: { status: 'sent', list_id, max_items: 10 },
      method: 'GET',
      target: `/campaigns?sort_field=create_time&sort_dir=DESC&status=sent&list_id=${list_id}&count=10`,
    },
    getReport: { input: { campaign_id: '42694e9e57' }, method: 'GET', target: '/reports/42694e9e57' },
    createCampaign: {
      input: {
        recipients: { list_id },
        settings: { subject_line: 'Tea', from_name: 'Shop', reply_to: 'shop@example.com' },
      },
      method: 'POST',
      target: '/campaigns',
      body:
        `{"type":"regular","recipients":{"list_id":"${list_id}"},` +
        '"settings":{"subject_line":"Tea","from_name":"Shop","reply_to":"shop@example.com"}}',
    },
    setCampaignContent: {
      input: { campaign_id: '42694e9e57', html: '<p>Tea</p>' },
      method: 'PUT',
      target: '/campaigns/42694e9e57/content',
      body: '{"html":"<p>Tea</p>"}',
    },
    sendCampaign: {
      input: { campaign_id: '42694e9e57' },
      method: 'POST',
      target: '/campaigns/42694e9e57/actions/send',
      body: '{}',
    },
  },
};
