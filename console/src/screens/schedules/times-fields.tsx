import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import type { DraftProps, ScheduleDraft } from './schedule-draft.ts';
import styles from './schedules.module.css';

const kinds = [
  { value: 'cron', text: 'Cron expressions' },
  { value: 'interval', text: 'An interval' },
  { value: 'calendars', text: 'Calendars' },
] as const;

const units = (['minutes', 'hours', 'days'] as const).map((value) => ({ value, text: value }));

/** When a schedule runs. */
export function TimesFields({ draft, onChange }: DraftProps) {
  return (
    <>
      <Choice
        label="Given as"
        value={draft.times}
        options={kinds}
        onChange={(times) => onChange({ times })}
      />
      {draft.times === 'cron' && (
        <Field
          label="Cron expressions, one in each line"
          hint="Minute, hour, day of the month, month, day of the week; @daily and the like; 6 fields with a year, 7 with seconds."
          isCode
          rows={2}
          value={draft.cron}
          onChange={(cron) => onChange({ cron })}
        />
      )}
      {draft.times === 'interval' && <IntervalFields draft={draft} onChange={onChange} />}
      {draft.times === 'calendars' && (
        <JsonField
          label="Calendars, as JSON"
          hint="All fields of one must match: second, minute, hour, dayOfMonth, month, dayOfWeek, year. A field is a number, a range, or a list of these."
          value={draft.calendars}
          onChange={(calendars) => onChange({ calendars })}
        />
      )}
      {draft.times !== 'interval' && (
        <Choice
          label="Time zone"
          value={draft.timeZone}
          options={listZones(draft)}
          onChange={(timeZone) => onChange({ timeZone })}
        />
      )}
    </>
  );
}

function IntervalFields({ draft, onChange }: DraftProps) {
  return (
    <div className={styles.row}>
      <Field label="Every" value={draft.every} onChange={(every) => onChange({ every })} />
      <Choice label="Unit" value={draft.unit} options={units} onChange={(unit) => onChange({ unit })} />
      <Field
        label="Shifted by, in minutes"
        value={draft.shiftMinutes}
        onChange={(shiftMinutes) => onChange({ shiftMinutes })}
      />
    </div>
  );
}

function listZones({ timeZone }: ScheduleDraft): { value: string; text: string }[] {
  const known = new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')]);
  return [...known].map((value) => ({ value, text: value }));
}
