import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { fillPath } from '../../src/engines/providers/request-path.ts';

const listId = z.string().min(1).max(50).describe('Id of the audience, from listAudiences');
const email = z.email().describe('The e-mail address of the member');
const campaignId = z.string().min(1).max(50).describe('Id of the campaign');
const mergeFields = z
  .record(z.string(), z.json())
  .describe('Values by merge tag, such as FNAME and LNAME')
  .optional();
const status = z.enum(['subscribed', 'unsubscribed', 'cleaned', 'pending']);
const pagingOf = (items: string) =>
  ({ style: 'offset', field: 'offset', items, size: { field: 'count', max: 1000 } }) as const;
const keptMember = [
  ...['id', 'email_address', 'full_name', 'status', 'merge_fields', 'tags.name', 'list_id', 'vip'],
  ...['stats.avg_open_rate', 'stats.avg_click_rate', 'timestamp_opt', 'last_changed'],
];
const keptCampaign = [
  ...['id', 'web_id', 'type', 'status', 'create_time', 'send_time', 'emails_sent', 'archive_url'],
  ...['settings.title', 'settings.subject_line', 'settings.from_name', 'recipients.list_id'],
  ...['recipients.list_name', 'recipients.recipient_count'],
];

export const mailchimp = defineProvider({
  name: 'mailchimp',
  title: 'Mailchimp',
  description: 'Manage audiences and members, and write, send and measure campaigns of Mailchimp.',
  category: 'marketing',
  baseUrl: 'https://{dataCenter}.api.mailchimp.com/3.0',
  variables: {
    dataCenter: {
      description: 'The end of the API key after the hyphen, and the start of the address of the account',
      example: 'us19',
    },
  },
  auth: {
    types: ['bearer', 'basic'],
    basic: { username: 'Any text', password: 'API key' },
    hint: 'An API key of Mailchimp, Account and billing, Extras, API keys.',
  },
  setup: [
    'Open your profile in [Mailchimp](https://admin.mailchimp.com/account/api/), *Account & billing*, *Extras*, *API keys*.',
    'Create a key and copy it; it is shown once. The part after the hyphen, such as `us19`, is the data center.',
  ],
  unverified: '2025-11-01',
  verify: { request: 'GET /', account: ['account_name', 'email'] },
  errors: { message: ['detail', 'title'], details: ['errors'] },
  operations: {
    listAudiences: {
      description:
        'List the audiences (lists) of the account with their ids and the numbers of members. Does not return the members themselves.',
      input: z.strictObject({}),
      request: 'GET /lists',
      effect: 'read_only',
      paging: pagingOf('lists'),
      keep: [
        ...['id', 'name', 'date_created', 'stats.member_count', 'stats.unsubscribe_count'],
        ...['stats.open_rate', 'stats.click_rate'],
      ],
    },
    listMembers: {
      description:
        'List the members of an audience by state and time of change. Returns addresses, names and tags. To find one person use searchMembers.',
      input: z.strictObject({
        list_id: listId,
        status: status.optional(),
        since_last_changed: z.iso.datetime({ offset: true }).describe('Changed after this').optional(),
      }),
      request: 'GET /lists/{list_id}/members',
      effect: 'read_only',
      paging: pagingOf('members'),
      keep: keptMember,
    },
    searchMembers: {
      description:
        'Find members of all audiences, or of one, by e-mail address or name. Returns at most 30, with the audience of each.',
      input: z.strictObject({
        query: z.string().min(1).describe('Part of an address or a name'),
        list_id: listId.optional(),
      }),
      request: 'GET /search-members',
      effect: 'read_only',
      keep: ['exact_matches', 'full_search'].flatMap((found) => [
        `${found}.total_items`,
        ...keptMember.map((name) => `${found}.members.${name}`),
      ]),
    },
    // The address is in the path, too; with one that is known, the member is changed and no second one is made.
    upsertMember: {
      description:
        'Add a person to an audience, or change the state and the names of a member. Use pending for people who have not agreed yet: they get a mail to confirm.',
      input: z.strictObject({
        list_id: listId,
        email_address: email,
        status_if_new: status.describe('The state of a new member'),
        status: status.describe('The state also of a member who is there already').optional(),
        merge_fields: mergeFields,
        language: z.string().length(2).optional(),
      }),
      request: ({ list_id, ...body }) => ({
        method: 'PUT',
        path: fillPath('/lists/{list_id}/members/{email}', { list_id, email: body.email_address }),
        body,
      }),
      effect: 'idempotent',
      keep: keptMember,
    },
    tagMember: {
      description:
        'Put tags on a member of an audience, or take them off with inactive. Other tags stay. A tag that is new to the audience is made.',
      input: z.strictObject({
        list_id: listId,
        email,
        tags: z
          .array(z.strictObject({ name: z.string().min(1), status: z.enum(['active', 'inactive']) }))
          .min(1),
      }),
      request: 'POST /lists/{list_id}/members/{email}/tags',
      effect: 'idempotent',
    },
    archiveMember: {
      description:
        'Archive a member of an audience: no campaign goes to the address any more. The data stays, and upsertMember brings the member back.',
      input: z.strictObject({ list_id: listId, email }),
      request: 'DELETE /lists/{list_id}/members/{email}',
      effect: 'idempotent',
    },
    listCampaigns: {
      description:
        'List campaigns, newest first, by state or audience, with subjects and times. Numbers of opens and clicks come from getReport.',
      input: z.strictObject({
        status: z.enum(['save', 'paused', 'schedule', 'sending', 'sent']).optional(),
        list_id: listId.optional(),
      }),
      request: 'GET /campaigns',
      fixed: { sort_field: 'create_time', sort_dir: 'DESC' },
      effect: 'read_only',
      paging: pagingOf('campaigns'),
      keep: keptCampaign,
    },
    getReport: {
      description:
        'Get how a campaign that was sent did: mails, opens, clicks, bounces and people who left. Does not name the recipients.',
      input: z.strictObject({ campaign_id: campaignId }),
      request: 'GET /reports/{campaign_id}',
      effect: 'read_only',
      keep: [
        ...['id', 'campaign_title', 'subject_line', 'list_name', 'send_time', 'emails_sent', 'unsubscribed'],
        ...['abuse_reports', 'bounces', 'opens', 'clicks', 'industry_stats'],
      ],
    },
    createCampaign: {
      description:
        'Create the draft of a campaign for an audience. Returns its id. It has no content yet: use setCampaignContent. Sends nothing.',
      input: z.strictObject({
        recipients: z.strictObject({ list_id: listId }),
        settings: z.strictObject({
          subject_line: z.string().min(1).max(150),
          preview_text: z.string().max(150).optional(),
          title: z.string().max(100).describe('The name that only you see').optional(),
          from_name: z.string().max(100),
          reply_to: z.email().describe('An address of a domain that is verified'),
        }),
      }),
      request: 'POST /campaigns',
      fixed: { type: 'regular' },
      effect: 'unsafe',
      keep: keptCampaign,
    },
    setCampaignContent: {
      description:
        'Set the HTML, and if wanted the plain text, of a campaign that was not sent; it replaces the content that was there. Sends nothing.',
      input: z.strictObject({
        campaign_id: campaignId,
        html: z.string().min(1).describe('With *|UNSUB|* as the address of the link to leave'),
        plain_text: z.string().describe('Without it made from the HTML').optional(),
      }),
      request: 'PUT /campaigns/{campaign_id}/content',
      effect: 'idempotent',
      keep: ['plain_text'],
    },
    sendCampaign: {
      description:
        'Send a campaign to its whole audience at once, which nobody can call back. Needs content. Fails when it was sent before.',
      input: z.strictObject({ campaign_id: campaignId }),
      request: 'POST /campaigns/{campaign_id}/actions/send',
      effect: 'unsafe',
    },
  },
});
