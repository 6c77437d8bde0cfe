import type { Page } from 'playwright-core';
import type { PendingAction } from '../../src/domain/action.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Scope } from '../../src/domain/scope.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { Api, ApiAnswer } from './api-lab.ts';
import { askedTool, askForApproval } from './asked-call.ts';
import type { ConsoleLab } from './console-lab.ts';
import { shareApi } from './shared-api.ts';

/** A workspace with calls that wait, and the screen of approvals. What waits is on every page of a workspace. */
export interface ApprovalsLab {
  api: Api;
  /** Lets a call of a tool wait, and returns the id of the action. */
  ask: (tool: string, parts?: Parameters<typeof askForApproval>[1]) => Promise<string>;
  /** Decides as another program does. */
  decide: (id: string, body: object, key?: string) => Promise<ApiAnswer>;
  readAction: (id: string) => Promise<PendingAction>;
  /** Opens the screen for the whole workspace. */
  open: (path: string, options?: Parameters<ConsoleLab['open']>[2]) => Promise<Page>;
  /** Opens the screen for a person, and collects the requests that are refused. */
  openFor: (person: OpeningPerson) => Promise<{ page: Page; refused: string[] }>;
}

/** A person who opens the screen. */
interface OpeningPerson {
  person: string;
  scopes: Scope[];
  groups?: string[];
  /** @default the screen of approvals */
  path?: string;
}

const schema: JsonObject = { type: 'object', properties: { amount: { type: 'integer' } } };

/** Creates a workspace in which nothing waits yet. */
export async function createApprovalsLab(chromium: ConsoleLab): Promise<ApprovalsLab> {
  const api = await shareApi();
  return {
    api,
    ask: async (name, parts = {}) => {
      const tool: Tool = { ...askedTool, id: newId(), name, schema };
      return (await askForApproval(api, { input: { amount: 950 }, tool, ...parts })).actionId;
    },
    decide: (id, body, key = api.key) =>
      api.call('POST', `/api/pending-actions/${id}/decision`, { body, key }),
    readAction: async (id) => (await api.call('GET', `/api/pending-actions/${id}`)).data.action,
    open: (path, options) => chromium.open(api, path, options),
    openFor: async ({ person, scopes, groups = [], path = '/approvals' }) => {
      const key = await api.createKey(api.workspaceId, scopes, { actsFor: person, groups });
      const page = await chromium.open({ url: api.url, key }, path);
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
      });
      return { page, refused };
    },
  };
}

/** The details of the opened action. */
export const detailsOf = (page: Page) => page.getByRole('region', { name: 'Details' });

/** The link to an action in the list of what waits. */
export const itemOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'What waits' }).getByRole('link', { name });
