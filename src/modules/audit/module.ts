import { defineModule } from '../../platform/module/define-module.ts';
import { auditRoutes } from './audit-event-routes.ts';

/** The module of audit. */
export const audit = defineModule({
  name: 'audit',
  routes: [...auditRoutes],
});
