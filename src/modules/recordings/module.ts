import { defineModule } from '../../platform/module/define-module.ts';
import { recordingRoutes } from './recording-routes.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'conversation.imported': true;
  }
}

/** The module of recordings. */
export const recordings = defineModule({
  name: 'recordings',
  routes: [...recordingRoutes],
});
