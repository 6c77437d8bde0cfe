import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import styles from './home.module.css';
import { agentsQuery, anyMcpServerQuery, anyTurnQuery } from './queries.ts';

/** The name of the agent that `npm start` creates. */
const demoName = 'Demo agent';

interface Step {
  title: string;
  text: string;
  action: string;
  isDone: boolean;
  take: () => void;
}

/** Whether the installation is new: no turn can be seen, or there is no agent but the demo agent; undefined until that is known. */
export function useIsNew(): boolean | undefined {
  const may = useMay();
  const turn = useQuery({ ...anyTurnQuery, enabled: may('conversations:read') });
  const agents = useQuery({ ...agentsQuery, enabled: may('agents:read') });
  if (turn.isLoading || agents.isLoading) return undefined;
  const hasOwn = agents.data?.some(({ name }) => name !== demoName);
  return turn.data === false || hasOwn === false;
}

/** What to do first on a new installation, as far as the person may. */
export function FirstSteps() {
  const steps = useSteps();
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  return (
    <Section title="First steps">
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.title} className={styles.step}>
            <h3>{step.title}</h3>
            <p className={styles.quiet}>{step.text}</p>
            {step.isDone ? (
              <Status status="completed" text="done" />
            ) : (
              <Button kind={step === next ? 'main' : 'quiet'} onPress={step.take}>
                {step.action}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function useSteps(): Step[] {
  const may = useMay();
  const navigate = useNavigate();
  const { data: hasTurn } = useQuery({ ...anyTurnQuery, enabled: may('conversations:read') });
  const { data: agents = [] } = useQuery({ ...agentsQuery, enabled: may('agents:read') });
  const { data: hasServer } = useQuery({ ...anyMcpServerQuery, enabled: may('connections:read') });
  const first = agents.find(({ name }) => name === demoName) ?? agents[0];
  const talk: Step = {
    title: `Talk to ${first?.name === demoName ? 'the demo agent' : 'an agent'}`,
    text: 'See what it does while it does it: models, tools, time and cost.',
    action: 'Open the playground',
    isDone: hasTurn === true,
    take: () => void navigate({ to: '/playground', search: first ? { agent: first.id } : {} }),
  };
  const create: Step = {
    title: 'Create an agent',
    text: 'An agent has instructions, a model and tools.',
    action: 'Create an agent',
    isDone: agents.some(({ name }) => name !== demoName),
    take: () => void navigate({ to: '/agents' }),
  };
  const connect: Step = {
    title: 'Connect an MCP server',
    text: 'Its tools can be given to agents, with rules and approvals.',
    action: 'Connect a server',
    isDone: hasServer === true,
    take: () => void navigate({ to: '/connections/new', search: { kind: 'mcp' } }),
  };
  return [
    ...(may('conversations:write') && first ? [talk] : []),
    ...(may('agents:write') ? [create] : []),
    ...(may('connections:write') ? [connect] : []),
  ];
}
