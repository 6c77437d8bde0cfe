import { actions } from '../modules/actions/module.ts';
import { agents } from '../modules/agents/module.ts';
import { audit } from '../modules/audit/module.ts';
import { changes } from '../modules/changes/module.ts';
import { connections } from '../modules/connections/module.ts';
import { credits } from '../modules/credits/module.ts';
import { files } from '../modules/files/module.ts';
import { imports } from '../modules/imports/module.ts';
import { inbox } from '../modules/inbox/module.ts';
import { knowledge } from '../modules/knowledge/module.ts';
import { recordings } from '../modules/recordings/module.ts';
import { replays } from '../modules/replays/module.ts';
import { resources } from '../modules/resources/module.ts';
import { retention } from '../modules/retention/module.ts';
import { routines } from '../modules/routines/module.ts';
import { schedules } from '../modules/schedules/module.ts';
import { skills } from '../modules/skills/module.ts';
import { swarms } from '../modules/swarms/module.ts';
import { triggers } from '../modules/triggers/module.ts';
import { turns } from '../modules/turns/module.ts';
import { webhooks } from '../modules/webhooks/module.ts';
import { workspaces } from '../modules/workspaces/module.ts';
import type { Module, Table } from '../platform/module/define-module.ts';
import { listTables } from '../platform/module/derive.ts';

/** All modules. Modules whose tables refer to those of others come before them, since rows are removed in this order. */
export const modules = [
  knowledge,
  files,
  connections,
  actions,
  webhooks,
  replays,
  schedules,
  triggers,
  imports,
  swarms,
  credits,
  resources,
  skills,
  routines,
  inbox,
  recordings,
  changes,
  turns,
  agents,
  audit,
  retention,
  workspaces,
] as const satisfies readonly Module[];

export type AnyModule = (typeof modules)[number];

/** Lists the tables whose rows are removed with their workspace, besides those of turns and agents. */
export function listRemovedTables(of: readonly Module[]): readonly Table[] {
  return [...listTables(of), { name: 'stuck_workflows', key: ['workflow_id'], most: 1000 }];
}

/** The tables whose rows are removed with their workspace, besides those of turns and agents. */
export const tables = listRemovedTables(modules);
