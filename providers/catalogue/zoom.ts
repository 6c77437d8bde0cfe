import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { fillPath } from '../../src/engines/providers/request-path.ts';

const userId = z
  .string()
  .min(1)
  .default('me')
  .describe('Id or e-mail of the user; me is the one who connected');
const meetingId = z.int().min(1).describe('Number of the meeting, without spaces');
const occurrence = z.string().describe('Only this occurrence of a recurring meeting').optional();
const startTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/)
  .describe('2026-03-01T09:00:00Z, or without Z in the time zone of the meeting');
const token = { style: 'cursor', field: 'next_page_token', next: 'next_page_token' } as const;
const size = { field: 'page_size', max: 300 } as const;

/** An app has granular scopes, or the classic ones if it is older than 2024; an account's administrator has those of `admin`. */
const scope = (granular: string, classic: string) =>
  [[granular, `${granular}:admin`, classic, `${classic}:admin`]] as const;

const meetingFields = {
  agenda: z.string().max(2000).optional(),
  start_time: startTime.optional(),
  duration: z.int().min(1).describe('Minutes').optional(),
  timezone: z.string().describe('IANA name, such as Europe/Berlin').optional(),
  password: z.string().max(10).describe('The passcode; without it one is made').optional(),
  recurrence: z
    .strictObject({
      type: z.literal([1, 2, 3]).describe('1 daily, 2 weekly, 3 monthly'),
      repeat_interval: z.int().min(1).max(90).optional(),
      weekly_days: z.string().describe('Days for type 2, such as 2,4: 1 is Sunday').optional(),
      monthly_day: z.int().min(1).max(31).describe('Day of the month for type 3').optional(),
      end_times: z.int().min(1).max(60).describe('How many occurrences').optional(),
      end_date_time: z.iso.datetime().optional(),
    })
    .describe('Only with type 8')
    .optional(),
  settings: z
    .strictObject({
      host_video: z.boolean().optional(),
      participant_video: z.boolean().optional(),
      join_before_host: z.boolean().optional(),
      mute_upon_entry: z.boolean().optional(),
      waiting_room: z.boolean().optional(),
      auto_recording: z.enum(['local', 'cloud', 'none']).optional(),
      alternative_hosts: z.string().describe('E-mail addresses with ; between them').optional(),
    })
    .optional(),
};
const type = z
  .literal([1, 2, 3, 8])
  .describe('1 at once, 2 at a time, 3 recurring without a time, 8 recurring at a time');
const keptMeeting = [
  ...['id', 'uuid', 'topic', 'agenda', 'type', 'start_time', 'duration', 'timezone', 'join_url', 'host_id'],
  'created_at',
];
const keptRecording = [
  ...['uuid', 'id', 'topic', 'start_time', 'duration', 'recording_count', 'recording_files.id'],
  ...['recording_files.file_type', 'recording_files.file_size', 'recording_files.recording_type'],
  ...['recording_files.play_url', 'recording_files.download_url'],
];

export const zoom = defineProvider({
  name: 'zoom',
  title: 'Zoom',
  description: 'Schedule and find Zoom meetings and their cloud recordings.',
  category: 'calendar',
  baseUrl: 'https://api.zoom.us/v2',
  variables: {
    accountId: {
      description: 'With client credentials: the account id of the Server-to-Server OAuth app',
      example: 'gYz8S9w5Q5yrDoIvmdClYw',
    },
  },
  auth: {
    types: ['oauth2_authorization_code', 'oauth2_client_credentials', 'bearer'],
    oauth: {
      authorizationUrl: 'https://zoom.us/oauth/authorize',
      tokenUrl: 'https://zoom.us/oauth/token',
      // https://developers.zoom.us/docs/internal-apps/s2s-oauth/
      clientGrant: { type: 'account_credentials', parameters: { account_id: '{accountId}' } },
      scopes: ['user:read:user'],
    },
    hint: 'An OAuth app of the Zoom App Marketplace, Develop, Build App.',
  },
  setup: [
    'Open the [Zoom App Marketplace](https://marketplace.zoom.us/develop/create) and create a **General app**; choose *User-managed*, or *Admin-managed* to list users. Without a person, create a **Server-to-Server OAuth app** and copy its account id, too.',
    'Copy the client id and the client secret.',
    'Add the scopes under *Scopes*; Zoom grants no others.',
  ],
  verify: { request: 'GET /users/me', account: ['email'] },
  // 10 to 30 a second by plan and operation: https://developers.zoom.us/docs/api/rate-limits/
  rateLimit: { tokensPerMinute: 600 },
  errors: { message: ['message', 'reason'], details: ['errors'] },
  operations: {
    listMeetings: {
      description:
        "List a user's meetings that are scheduled, upcoming or live, with ids, times and links. Does not return past meetings or their settings.",
      input: z.strictObject({ userId, type: z.enum(['scheduled', 'live', 'upcoming']).default('upcoming') }),
      request: 'GET /users/{userId}/meetings',
      effect: 'read_only',
      scopes: scope('meeting:read:list_meetings', 'meeting:read'),
      paging: { ...token, items: 'meetings', size },
      keep: keptMeeting,
    },
    createMeeting: {
      description:
        'Schedule a meeting for a user. Returns its number, link and passcode. Invites nobody: send the link. At most 100 a day for a user.',
      input: z.strictObject({
        userId,
        topic: z.string().min(1).max(200),
        type: type.default(2),
        ...meetingFields,
      }),
      request: 'POST /users/{userId}/meetings',
      effect: 'unsafe',
      scopes: scope('meeting:write:meeting', 'meeting:write'),
      keep: [
        ...['id', 'topic', 'type', 'start_time', 'duration', 'timezone', 'join_url', 'password'],
        ...['host_email', 'occurrences.occurrence_id', 'occurrences.start_time', 'created_at'],
      ],
    },
    getMeeting: {
      description:
        'Get one meeting by its number with its time, link, passcode, recurrence and settings. Does not tell who took part.',
      input: z.strictObject({ meetingId, occurrence_id: occurrence }),
      request: 'GET /meetings/{meetingId}',
      effect: 'read_only',
      scopes: scope('meeting:read:meeting', 'meeting:read'),
      keep: [...keptMeeting, 'host_email', 'status', 'password', 'occurrences', 'recurrence', 'settings'],
    },
    updateMeeting: {
      description:
        'Change the topic, time or settings of a meeting; fields that are not given stay as they are. Returns no content; read it with getMeeting.',
      input: z.strictObject({
        meetingId,
        occurrence_id: occurrence,
        topic: z.string().min(1).max(200).optional(),
        type: type.optional(),
        ...meetingFields,
      }),
      request: 'PATCH /meetings/{meetingId}',
      query: ['occurrence_id'],
      effect: 'idempotent',
      scopes: scope('meeting:update:meeting', 'meeting:write'),
    },
    deleteMeeting: {
      description:
        'Delete a scheduled meeting, or one occurrence of it. On request Zoom tells host and registrants by mail. Does not end a live meeting.',
      input: z.strictObject({
        meetingId,
        occurrence_id: occurrence,
        schedule_for_reminder: z.boolean().describe('Mail to the host and alternative hosts').optional(),
        cancel_meeting_reminder: z.boolean().describe('Mail to the registrants').optional(),
      }),
      request: 'DELETE /meetings/{meetingId}',
      effect: 'idempotent',
      scopes: scope('meeting:delete:meeting', 'meeting:write'),
    },
    listRecordings: {
      description:
        "List a user's cloud recordings in a span of at most a month, with addresses of the files. Does not return the files themselves.",
      input: z.strictObject({
        userId,
        from: z.iso.date().describe('First day in UTC'),
        to: z.iso.date().describe('Last day in UTC').optional(),
        trash: z.boolean().describe('Those that were deleted instead').optional(),
      }),
      request: 'GET /users/{userId}/recordings',
      effect: 'read_only',
      scopes: scope('cloud_recording:read:list_user_recordings', 'recording:read'),
      paging: { ...token, items: 'meetings', size },
      keep: keptRecording,
    },
    getRecording: {
      description:
        'Get the cloud recordings and transcripts of one meeting with the addresses of the files. A number stands for its latest instance.',
      input: z.strictObject({
        meeting: z.string().min(1).max(100).describe('Number of the meeting, or the uuid of an instance'),
      }),
      request: ({ meeting }) => ({
        method: 'GET',
        path: fillPath('/meetings/{id}/recordings', { id: toId(meeting) }),
      }),
      effect: 'read_only',
      scopes: scope('cloud_recording:read:list_recording_files', 'recording:read'),
      keep: keptRecording,
    },
    listUsers: {
      description:
        'List the users of the Zoom account with ids, names and e-mail addresses. Only for administrators. Does not return their meetings.',
      input: z.strictObject({
        status: z.enum(['active', 'inactive', 'pending']).optional(),
        role_id: z.string().optional(),
      }),
      request: 'GET /users',
      effect: 'read_only',
      scopes: [['user:read:list_users:admin', 'user:read:admin']],
      paging: { ...token, items: 'users', size },
      keep: [
        ...['id', 'email', 'first_name', 'last_name', 'type', 'status', 'dept', 'timezone'],
        'last_login_time',
      ],
    },
  },
});

/** Zoom wants a uuid that begins with a slash, or has two, encoded twice: https://developers.zoom.us/docs/api/using-zoom-apis/ */
function toId(meeting: string): string {
  return meeting.startsWith('/') || meeting.includes('//') ? encodeURIComponent(meeting) : meeting;
}
