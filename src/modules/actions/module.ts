import { defineModule } from '../../platform/module/define-module.ts';
import { actionRoutes } from './action-routes.ts';
import { approvalGrantRoutes } from './approval-grant-routes.ts';
import { addActionPages } from './pages/action-page-routes.ts';
import { deciderSchema, pendingActionSchema } from '../../domain/action.ts';
import { approvalGrantSchema } from './approval-grant.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'action.requested': true;
    'action.decided': true;
    'action.expired': true;
    'action.link_created': true;
    'approval_grant.created': true;
    'approval_grant.used': true;
    'approval_grant.revoked': true;
  }
}

/** The module of actions. */
export const actions = defineModule({
  name: 'actions',
  routes: [...actionRoutes, ...approvalGrantRoutes],
  doors: [addActionPages],
  schemas: {
    PendingAction: pendingActionSchema,
    Decider: deciderSchema,
    ApprovalGrant: approvalGrantSchema,
  },
  tables: [{ name: 'approval_grants', most: 500 }],
});
