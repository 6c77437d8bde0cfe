import type { ProviderRequests } from './request-case.ts';

const boardId = '5abbe4b7ddc1b351ef961414';
const idList = '5abbe4b7ddc1b351ef961415';

export const trelloRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listBoards: {
      input: {},
      method: 'GET',
      target: '/members/me/boards?fields=name%2Cdesc%2Cclosed%2Curl%2CdateLastActivity&filter=open',
    },
    listLists: {
      input: { boardId, filter: 'all' },
      method: 'GET',
      target: `/boards/${boardId}/lists?fields=name%2Cclosed%2Cpos&filter=all`,
    },
    listCards: { input: { boardId }, method: 'GET', target: `/boards/${boardId}/cards/visible` },
    searchCards: {
      input: { query: 'tea @me', idBoards: [boardId, 'b2'], cards_limit: 5 },
      method: 'GET',
      target: `/search?modelTypes=cards&query=tea+%40me&idBoards=${boardId}%2Cb2&cards_limit=5`,
    },
    getCard: { input: { cardId: 'qbWlLqX8' }, method: 'GET', target: '/cards/qbWlLqX8?checklists=all' },
    createCard: {
      input: { idList, name: 'Buy tea', pos: 'top', due: '2026-03-01T09:00:00Z', idLabels: ['l1'] },
      method: 'POST',
      target: '/cards',
      body: `{"idList":"${idList}","name":"Buy tea","pos":"top","due":"2026-03-01T09:00:00Z","idLabels":["l1"]}`,
    },
    updateCard: {
      destructive: true,
      input: { cardId: 'qbWlLqX8', idList, dueComplete: true },
      method: 'PUT',
      target: '/cards/qbWlLqX8',
      body: `{"idList":"${idList}","dueComplete":true}`,
    },
    addComment: {
      input: { cardId: 'qbWlLqX8', text: 'Which sort?' },
      method: 'POST',
      target: '/cards/qbWlLqX8/actions/comments',
      body: '{"text":"Which sort?"}',
    },
  },
};
