import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const boardId = z.string().min(1).describe('Id of the board, from listBoards');
const cardId = z.string().min(1).describe('Id of the card, or the part after /c/ in its address');
const idList = z.string().min(1).describe('Id of a list of the board, from listLists');
const filter = z.enum(['open', 'closed', 'all']).default('open').describe('closed: those in the archive');
const text = z.string().min(1).max(16_384);
const cardFields = {
  desc: z.string().max(16_384).describe('Markdown').optional(),
  pos: z
    .union([z.enum(['top', 'bottom']), z.number().min(0)])
    .describe('The place in the list')
    .optional(),
  due: z.iso.datetime({ offset: true }).describe('Such as 2026-03-01T09:00:00Z').optional(),
  idMembers: z.array(z.string()).describe('Ids of all its members').optional(),
  idLabels: z.array(z.string()).describe('Ids of all its labels').optional(),
};
const keptCard = [
  ...['id', 'name', 'desc', 'idList', 'idBoard', 'idMembers', 'labels.id', 'labels.name', 'due'],
  ...['dueComplete', 'closed', 'shortUrl', 'dateLastActivity'],
];

/** Trello has its own form of OAuth 1.0, so connections have the key of an app and a token of a person. */
export const trello = defineProvider({
  name: 'trello',
  title: 'Trello',
  description: 'Read, create, move and discuss cards on Trello boards.',
  category: 'productivity',
  baseUrl: 'https://api.trello.com/1',
  listFormat: 'comma',
  auth: {
    types: ['keys'],
    keys: { key: { title: 'API key', query: 'key' }, token: { title: 'Token', query: 'token' } },
    hint: 'The API key of a Power-Up, and a token of the account that agents act as.',
  },
  setup: [
    'Open [trello.com/power-ups/admin](https://trello.com/power-ups/admin), create a Power-Up, and generate an API key on its tab *API Key*.',
    'Follow the link *Token* beside the key, allow access, and copy the token.',
  ],
  unverified: '2026-01-26',
  verify: { request: 'GET /members/me', query: { fields: 'username' }, account: ['username'] },
  // 100 in ten seconds for each token: https://developer.atlassian.com/cloud/trello/guides/rest-api/rate-limits
  rateLimit: { tokensPerMinute: 600 },
  errors: { message: ['message', 'error', ''] },
  operations: {
    listBoards: {
      description:
        'List the boards of the account with their ids and names. Does not return their lists and cards.',
      input: z.strictObject({ filter }),
      request: 'GET /members/me/boards',
      fixed: { fields: 'name,desc,closed,url,dateLastActivity' },
      effect: 'read_only',
    },
    listLists: {
      description:
        'List the columns of a board with their ids and names, in their order. Does not return cards.',
      input: z.strictObject({ boardId, filter }),
      request: 'GET /boards/{boardId}/lists',
      fixed: { fields: 'name,closed,pos' },
      effect: 'read_only',
    },
    listCards: {
      description:
        'List the cards of a whole board with their columns, members, labels and dates. To find cards by words on all boards, use searchCards.',
      input: z.strictObject({
        boardId,
        filter: z.enum(['open', 'closed', 'all', 'visible']).default('visible'),
      }),
      request: 'GET /boards/{boardId}/cards/{filter}',
      effect: 'read_only',
      keep: keptCard,
    },
    searchCards: {
      description:
        'Find cards on all boards by words and operators, such as @me, due:week or label:bug. Returns at most 100 cards, best first; not comments.',
      input: z.strictObject({
        query: z.string().min(1).max(16_384),
        idBoards: z.array(z.string().min(1)).describe('Only on these boards').optional(),
        cards_limit: z.int().min(1).max(1000).default(100),
      }),
      request: 'GET /search',
      fixed: { modelTypes: 'cards' },
      effect: 'read_only',
      result: 'cards',
      keep: keptCard,
    },
    getCard: {
      description:
        'Get one card with its description, members, labels and checklists. Does not return comments.',
      input: z.strictObject({ cardId }),
      request: 'GET /cards/{cardId}',
      fixed: { checklists: 'all' },
      effect: 'read_only',
      keep: [...keptCard, 'checklists.name', 'checklists.checkItems.name', 'checklists.checkItems.state'],
    },
    createCard: {
      description:
        'Add a card to a column of a board. Returns it with its id and address. Does not check whether there is a similar one.',
      input: z.strictObject({ idList, name: text, ...cardFields }),
      request: 'POST /cards',
      effect: 'unsafe',
      keep: keptCard,
    },
    updateCard: {
      description:
        'Change a card, move it to another column, or archive it. Fields that are left out stay; members and labels are replaced as a whole. Returns the card.',
      input: z.strictObject({
        cardId,
        name: text.optional(),
        idList: idList.optional(),
        closed: z.boolean().describe('true moves it to the archive, false brings it back').optional(),
        dueComplete: z.boolean().optional(),
        ...cardFields,
      }),
      request: 'PUT /cards/{cardId}',
      effect: 'idempotent',
      destructive: true,
      keep: keptCard,
    },
    addComment: {
      description:
        'Comment on a card; members who are mentioned as @name are notified. Returns the id of the comment. Does not change the card.',
      input: z.strictObject({ cardId, text }),
      request: 'POST /cards/{cardId}/actions/comments',
      effect: 'unsafe',
      keep: ['id', 'date', 'data.text', 'memberCreator.username'],
    },
  },
});
