import { describeWorkerCrash } from './worker-crash.ts';

describeWorkerCrash('inspectable');
