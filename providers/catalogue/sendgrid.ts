import { z } from 'zod';
import type { JsonObject } from '../../src/domain/json.ts';
import type { StoredFile } from '../../src/domain/tool.ts';
import { defineProvider, fileId } from '../../src/engines/providers/define-provider.ts';

const person = z.strictObject({ email: z.email(), name: z.string().optional() });
const people = z.array(person).min(1).max(1000);
const page = { style: 'link', next: '_metadata.next', items: 'result' } as const;

const mailInput = z.strictObject({
  from: person.describe('A sender that is verified with SendGrid'),
  to: people.describe('All of them see each other'),
  cc: people.optional(),
  bcc: people.optional(),
  replyTo: person.optional(),
  subject: z.string().min(1).max(998).describe('A template may bring its own').optional(),
  text: z.string().min(1).describe('Plain text; or html or templateId').optional(),
  html: z.string().min(1).optional(),
  templateId: z.string().describe('Id of a dynamic template, from listTemplates').optional(),
  templateData: z.record(z.string(), z.json()).describe('The values of the template').optional(),
  attachments: z.array(fileId('A file to attach')).max(10).optional(),
  categories: z.array(z.string().max(255)).max(10).describe('Labels for statistics').optional(),
  sendAt: z.int().min(0).describe('Epoch seconds, at most 72 hours from now').optional(),
});

export const sendgrid = defineProvider({
  name: 'sendgrid',
  title: 'SendGrid',
  description: 'Send e-mail and manage marketing contacts with Twilio SendGrid.',
  category: 'marketing',
  baseUrl: 'https://{host}.sendgrid.com/v3',
  variables: {
    host: {
      description: 'The region of the account: api for all, api.eu for subusers of the EU',
      example: 'api',
      oneOf: ['api', 'api.eu'],
      default: 'api',
    },
  },
  listFormat: 'comma',
  auth: {
    types: ['bearer'],
    hint: 'An API key (SG.…) of SendGrid, Settings, API Keys.',
  },
  setup: [
    'Open [SendGrid](https://app.sendgrid.com/settings/api_keys), *Settings*, *API Keys*, and create a key.',
    'Choose **Restricted access**: *Mail Send*, *Marketing*, *Template Engine* and *Stats*. Copy the key; it is shown once.',
    'Verify the address or the domain that mails come from under *Settings*, *Sender Authentication*.',
  ],
  verify: { request: 'GET /scopes' },
  throttle: { wait: [{ header: 'x-ratelimit-reset', unit: 'epoch' }] },
  errors: { message: ['errors.0.message', 'error'], details: ['errors'] },
  operations: {
    sendMail: {
      description:
        'Send an e-mail to all recipients together, as text, HTML or a dynamic template, with files. Returns no id: SendGrid accepts it and sends later.',
      input: mailInput,
      files: ['attachments'],
      request: (mail) => ({ method: 'POST', path: '/mail/send', body: toMail(mail) }),
      effect: 'unsafe',
    },
    upsertContacts: {
      description:
        'Add marketing contacts, or update those with the same e-mail, and put them on lists. Returns a job id; it takes effect some minutes later.',
      input: z.strictObject({
        contacts: z
          .array(
            z.strictObject({
              email: z.email().max(254),
              first_name: z.string().max(50).optional(),
              last_name: z.string().max(50).optional(),
              address_line_1: z.string().max(100).optional(),
              city: z.string().max(60).optional(),
              postal_code: z.string().optional(),
              state_province_region: z.string().max(50).optional(),
              country: z.string().max(50).optional(),
              custom_fields: z.record(z.string(), z.json()).describe('Values by id of the field').optional(),
            }),
          )
          .min(1)
          .max(1000),
        list_ids: z.array(z.uuid()).describe('Lists to put them on, from listContactLists').optional(),
      }),
      request: 'PUT /marketing/contacts',
      effect: 'idempotent',
    },
    searchContacts: {
      description:
        'Find marketing contacts with a query of SendGrid, such as by e-mail or list. Returns at most 50, and the number of all that fit.',
      input: z.strictObject({
        query: z.string().min(1).describe("SGQL, such as email LIKE 'ana@%' AND CONTAINS(list_ids, 'b3f1…')"),
      }),
      request: 'POST /marketing/contacts/search',
      effect: 'read_only',
      keep: [
        ...['contact_count', 'result.id', 'result.email', 'result.first_name', 'result.last_name'],
        ...['result.city', 'result.country', 'result.list_ids', 'result.custom_fields', 'result.updated_at'],
      ],
    },
    listContactLists: {
      description:
        'List the marketing lists with the ids that other tools need and the number of their contacts. Does not return the contacts.',
      input: z.strictObject({}),
      request: 'GET /marketing/lists',
      effect: 'read_only',
      paging: { ...page, size: { field: 'page_size', max: 1000 } },
      keep: ['id', 'name', 'contact_count'],
    },
    listTemplates: {
      description:
        'List the templates for transactional mail with their ids and the subjects of their versions. Does not return their HTML.',
      input: z.strictObject({
        generations: z.enum(['legacy', 'dynamic', 'legacy,dynamic']).default('dynamic'),
      }),
      request: 'GET /templates',
      effect: 'read_only',
      paging: { ...page, size: { field: 'page_size', max: 200 } },
      keep: [
        ...['id', 'name', 'generation', 'versions.id', 'versions.name', 'versions.subject'],
        'versions.active',
      ],
    },
    getStats: {
      description:
        'Get how many mails were sent, delivered, opened, clicked and bounced, by day, week or month. Does not tell single recipients.',
      input: z.strictObject({
        start_date: z.iso.date(),
        end_date: z.iso.date().describe('Without it today').optional(),
        aggregated_by: z.enum(['day', 'week', 'month']).optional(),
      }),
      request: 'GET /stats',
      effect: 'read_only',
    },
    deleteContacts: {
      description:
        'Delete marketing contacts by their ids, from all lists and for good. Returns a job id; it takes effect some minutes later.',
      input: z.strictObject({
        ids: z.array(z.string().min(1)).min(1).max(100).describe('Ids of contacts, from searchContacts'),
      }),
      request: 'DELETE /marketing/contacts',
      effect: 'idempotent',
    },
  },
});

/** Fields without a value are not sent. */
function toMail({ templateData, replyTo, ...mail }: z.output<typeof mailInput>): JsonObject {
  const { to, cc, bcc, from, subject, templateId, categories, sendAt } = mail;
  // The files stand in place of their ids.
  const attachments = mail.attachments as unknown as StoredFile[] | undefined;
  const body = {
    personalizations: [{ to, cc, bcc, dynamic_template_data: templateData }],
    from,
    reply_to: replyTo,
    subject,
    content: toContent(mail),
    template_id: templateId,
    categories,
    send_at: sendAt,
    attachments: attachments?.map(toAttachment),
  };
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}

/** SendGrid wants plain text before HTML. */
function toContent({ text, html }: { text?: string | undefined; html?: string | undefined }) {
  const parts = [
    { type: 'text/plain', value: text },
    { type: 'text/html', value: html },
  ].filter(({ value }) => value !== undefined);
  return parts.length === 0 ? undefined : parts;
}

function toAttachment({ bytes, name, mediaType }: StoredFile) {
  return { content: Buffer.from(bytes).toString('base64'), filename: name ?? 'file', type: mediaType };
}
