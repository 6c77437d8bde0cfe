export type * from '../../../src/clients/client/index.ts';
