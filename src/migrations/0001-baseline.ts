import type { Knex } from 'knex';
import { actions } from './baseline/actions.ts';
import { agents } from './baseline/agents.ts';
import { audit } from './baseline/audit.ts';
import { changes } from './baseline/changes.ts';
import { connections } from './baseline/connections.ts';
import { conversations } from './baseline/conversations.ts';
import { credits } from './baseline/credits.ts';
import { files } from './baseline/files.ts';
import { installation } from './baseline/installation.ts';
import { knowledge } from './baseline/knowledge.ts';
import { messages } from './baseline/messages.ts';
import { replays } from './baseline/replays.ts';
import { resources } from './baseline/resources.ts';
import { routines } from './baseline/routines.ts';
import { schedules } from './baseline/schedules.ts';
import { skills } from './baseline/skills.ts';
import { steps } from './baseline/steps.ts';
import { swarms } from './baseline/swarms.ts';
import { triggers } from './baseline/triggers.ts';
import { turns } from './baseline/turns.ts';
import { webhooks } from './baseline/webhooks.ts';
import { workspaces } from './baseline/workspaces.ts';

/** In an order in which each part refers only to those before it. */
const parts = [
  ...[installation, workspaces, audit, connections, agents],
  ...[conversations, turns, steps, files, knowledge, actions],
  ...[credits, webhooks, routines, replays, swarms, messages, schedules, triggers, resources],
  ...[skills, changes],
];

/** No program runs without these tables. */
export const isCompatible = false;

/** Creates the schema of 0.1.0. */
export async function up(knex: Knex): Promise<void> {
  for (const part of parts) await knex.raw(part);
}
