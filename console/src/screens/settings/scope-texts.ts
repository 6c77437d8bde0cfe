import type { Scope } from '../../api/scope.ts';

/** The scopes by what they are about, in the order in which people meet them. */
export const scopeGroups: readonly { title: string; scopes: readonly { value: Scope; text: string }[] }[] = [
  {
    title: 'Conversations and turns',
    scopes: [
      { value: 'conversations:read', text: 'Read conversations, turns and files' },
      { value: 'conversations:write', text: 'Start, steer and cancel turns' },
      { value: 'approvals:decide', text: 'Decide about tool calls' },
      { value: 'inbox:read', text: 'Read messages of agents to people' },
      { value: 'inbox:write', text: 'Mark messages of agents' },
    ],
  },
  {
    title: 'Agents and what they use',
    scopes: [
      { value: 'agents:read', text: 'Read agents, tools and rules' },
      { value: 'agents:write', text: 'Change agents, tools and rules' },
      { value: 'connections:read', text: 'Read connections and providers' },
      { value: 'connections:write', text: 'Change connections and their credentials' },
      { value: 'knowledge:read', text: 'Read and search knowledge' },
      { value: 'knowledge:write', text: 'Change knowledge' },
      { value: 'skills:read', text: 'Read skills' },
      { value: 'skills:write', text: 'Change skills' },
      { value: 'resources:read', text: 'Read memories, notes and other resources' },
      { value: 'resources:write', text: 'Change resources' },
    ],
  },
  {
    title: 'Automation',
    scopes: [
      { value: 'routines:read', text: 'Read routines and their runs' },
      { value: 'routines:write', text: 'Change and run routines' },
      { value: 'swarms:read', text: 'Read swarms' },
      { value: 'swarms:write', text: 'Start and change swarms' },
      { value: 'webhooks:read', text: 'Read webhooks and deliveries' },
      { value: 'webhooks:write', text: 'Change webhooks' },
      { value: 'replays:read', text: 'Read replays' },
      { value: 'replays:write', text: 'Start and control replays' },
    ],
  },
  {
    title: 'Governance',
    scopes: [
      { value: 'analytics:read', text: 'Read usage and other figures' },
      { value: 'budgets:read', text: 'Read budgets and prices' },
      { value: 'budgets:write', text: 'Change budgets and prices' },
      { value: 'audit:read', text: 'Read the audit log' },
      { value: 'api_keys:write', text: 'Manage API keys and people' },
      { value: 'user_tokens:write', text: 'Issue tokens for people' },
      { value: 'payloads:read', text: 'Read payloads of all workspaces in Temporal' },
    ],
  },
];

/** The roles of people, from the least to the most, with what each may do. */
export const roleTexts = [
  { value: 'viewer', text: 'Read what belongs to the person' },
  { value: 'editor', text: 'As a viewer, and start and steer turns, write resources and the inbox' },
  { value: 'approver', text: 'As a viewer, and decide about all calls that wait' },
  { value: 'operator', text: 'All in the workspace but decide about calls, and make keys and tokens' },
  { value: 'admin', text: 'All in the workspace but read payloads of Temporal' },
] as const;
