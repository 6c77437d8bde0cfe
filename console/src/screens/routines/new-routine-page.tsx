import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../app/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Sections } from '../../ui/section.tsx';
import { RoutineForm } from './routine-form.tsx';
import styles from './routines.module.css';

/** Creates a routine. */
export function Page() {
  const navigate = useNavigate();
  const canWrite = useMay()('routines:write');
  if (!canWrite) return <Empty title="You may not create routines" />;
  return (
    <Frame title="New routine">
      <Sections>
        <p className={styles.quiet}>
          A document of the Serverless Workflow standard 1.0. Its tasks call tools of an agent, other agents,
          people and addresses, and wait for times and events.
        </p>
        <RoutineForm
          routine={null}
          onSaved={({ id }) => void navigate({ to: '/routines/$routineId', params: { routineId: id } })}
        />
      </Sections>
    </Frame>
  );
}
