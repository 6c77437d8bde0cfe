import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../app/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Sections } from '../../ui/section.tsx';
import { ScheduleForm } from './schedule-form.tsx';

/** Creates a schedule. */
export function Page() {
  const navigate = useNavigate();
  const canWrite = useMay()('conversations:write');
  if (!canWrite) return <Empty title="You may not create schedules" />;
  return (
    <Frame title="New schedule">
      <Sections>
        <ScheduleForm
          schedule={null}
          onSaved={({ id }) =>
            void navigate({
              to: '/schedules/$scheduleId',
              params: { scheduleId: id },
              search: { view: 'runs' },
            })
          }
        />
      </Sections>
    </Frame>
  );
}
