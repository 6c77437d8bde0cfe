import type { Client } from '@temporalio/client';
import type { Database } from '../../platform/database/connect-database.ts';
import { copySchedule } from './change-schedule.ts';
import type { ScheduledWork } from './run-schedule.ts';
import { createScheduleActivities } from './schedule-activities.ts';
import { createScheduleEngine } from './schedule-engine.ts';
import { createScheduleSweepRepository } from './schedule-sweep-repository.ts';
import { sweepSchedules } from './schedule-sweep.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { scheduleDetailsSchema, scheduleRunSchema, scheduleSchema } from './schedule.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'schedule.created': true;
    'schedule.updated': true;
    'schedule.deleted': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts {
  database: Database;
  client: Client;
  taskQueue: string;
  /** Starts and stops what schedules start. */
  scheduledWork: ScheduledWork;
}

/** The module of schedules. */
export const schedules = defineModule({
  name: 'schedules',
  routes: [...scheduleRoutes],
  schemas: {
    Schedule: scheduleSchema,
    ScheduleDetails: scheduleDetailsSchema,
    ScheduleRun: scheduleRunSchema,
  },
  tables: [
    { name: 'schedule_runs', most: 1000 },
    { name: 'schedules', most: 100 },
  ],
  engine: ({ toReport, ...parts }) => {
    const schedules = createScheduleEngine(parts);
    return {
      schedules: { ...schedules, deleteSchedule: toReport('deleteSchedule', schedules.deleteSchedule) },
    };
  },
  worker: ({ database, scheduledWork: work, ...parts }: WorkerParts) => {
    const schedules = createScheduleEngine(parts);
    const sweep = createScheduleSweepRepository(database.system);
    const swept = {
      ...{ sweep, schedules },
      copySchedule: (workspaceId: string, id: string) =>
        copySchedule({ database, schedules }, { workspaceId }, id),
    };
    return {
      activities: createScheduleActivities({
        ...{ database, schedules, work, belongsToOther: sweep.belongsToOther },
      }),
      work: [
        {
          kind: 'schedule_run',
          workflows: ['scheduledRun'],
          sweep: { name: 'schedules', sweep: (run) => sweepSchedules(swept, run) },
        },
      ],
    };
  },
});
