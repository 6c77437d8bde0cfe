import { z } from 'zod';
import { routesOf } from '../../../platform/http/route.ts';
import type { WorkspaceStandards } from '../workspace-dependencies.ts';
import { readWorkspaceSettings } from './workspace-settings-repository.ts';
import { workspaceSettingsSchema } from './workspace-settings.ts';

const route = routesOf<WorkspaceStandards>();

const getWorkspace = route({
  method: 'GET',
  path: '/api/workspace',
  operationId: 'getWorkspace',
  clientName: 'workspace.get',
  summary: 'Get the workspace of the request, with the settings that hold for it',
  description:
    'The operator of the installation changes them with "holdfast workspaces"; "holdfast workspace show" prints them.',
  tag: 'API keys',
  right: 'workspace.read',
  answers: { 200: z.object({ workspace: workspaceSettingsSchema }) },
  handler: async ({ actor, inWorkspace, dependencies: { retentionDays } }) => {
    const workspace = await inWorkspace((trx) =>
      readWorkspaceSettings(trx, actor.workspaceId, { retentionDays }),
    );
    return { status: 200, data: { workspace } };
  },
});

/** The endpoint of the workspace itself. */
export const workspaceRoutes = [getWorkspace];
