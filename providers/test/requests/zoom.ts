import type { ProviderRequests } from './request-case.ts';

export const zoomRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listMeetings: {
      input: { type: 'scheduled', max_items: 30, continue_from: 'w7587w4eiyfsudgf' },
      method: 'GET',
      target: '/users/me/meetings?type=scheduled&page_size=30&next_page_token=w7587w4eiyfsudgf',
    },
    createMeeting: {
      input: {
        userId: 'ana@example.com',
        topic: 'Tea',
        type: 8,
        start_time: '2026-03-01T09:00:00Z',
        duration: 30,
        recurrence: { type: 2, weekly_days: '2', end_times: 4 },
        settings: { waiting_room: true, auto_recording: 'none' },
      },
      method: 'POST',
      target: '/users/ana%40example.com/meetings',
      body:
        '{"topic":"Tea","type":8,"start_time":"2026-03-01T09:00:00Z","duration":30,' +
        '"recurrence":{"type":2,"weekly_days":"2","end_times":4},' +
        '"settings":{"waiting_room":true,"auto_recording":"none"}}',
    },
    getMeeting: {
      input: { meetingId: 85746065432, occurrence_id: '1648194360000' },
      method: 'GET',
      target: '/meetings/85746065432?occurrence_id=1648194360000',
    },
    updateMeeting: {
      input: { meetingId: 85746065432, occurrence_id: '1648194360000', topic: 'Coffee', duration: 45 },
      method: 'PATCH',
      target: '/meetings/85746065432?occurrence_id=1648194360000',
      body: '{"topic":"Coffee","duration":45}',
    },
    deleteMeeting: {
      destructive: true,
      input: { meetingId: 85746065432, cancel_meeting_reminder: true },
      method: 'DELETE',
      target: '/meetings/85746065432?cancel_meeting_reminder=true',
    },
    listRecordings: {
      input: { from: '2026-03-01', to: '2026-03-31' },
      method: 'GET',
      target: '/users/me/recordings?from=2026-03-01&to=2026-03-31&page_size=100',
    },
    getRecording: {
      input: { meeting: '/ajXp112QmuoKj4854875==' },
      method: 'GET',
      target: '/meetings/%252FajXp112QmuoKj4854875%253D%253D/recordings',
    },
    listUsers: {
      input: { status: 'inactive' },
      method: 'GET',
      target: '/users?status=inactive&page_size=100',
    },
  },
};
