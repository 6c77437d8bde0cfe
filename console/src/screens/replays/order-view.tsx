import { Link } from '@tanstack/react-router';
import type { JsonValue, Replay } from '../../api/types.ts';
import { Facts } from '../../ui/facts.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Section } from '../../ui/section.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './replays.module.css';
import { toCandidateText } from './words.ts';

interface OrderViewProps {
  input: Replay['input'];
  /** The names of agents by their ids. @default ids stand for them */
  names?: ReadonlyMap<string, string> | undefined;
  /** Whether chosen runs lead to their pages. @default false */
  linksRuns?: boolean;
}

/** What was ordered: which runs, what was tried with them, and how. */
export function OrderView({ input, ...selecting }: OrderViewProps) {
  const { candidate, selection } = input;
  return (
    <>
      <Selected selection={selection} {...selecting} />
      <Section title="Candidate">
        <p>{toCandidateText(candidate)}</p>
        <Facts
          facts={[
            ['Version', candidate.agentVersionId],
            ['Model', candidate.model],
          ]}
        />
        {candidate.instructions !== undefined && <Markdown text={candidate.instructions} />}
        <Rest candidate={candidate} />
      </Section>
      <Settings input={input} />
    </>
  );
}

interface SelectedProps extends Omit<OrderViewProps, 'input'> {
  selection: Replay['input']['selection'];
}

function Selected({ selection, names, linksRuns = false }: SelectedProps) {
  const { turnIds, conversationIds, agentId, outcomes, tool, tag, from, to, sample } = selection;
  return (
    <Section title="Runs">
      <Facts
        facts={[
          ['Chosen', turnIds && <ChosenRuns turnIds={turnIds} isLinked={linksRuns} />],
          ['Conversations', conversationIds?.length],
          ['Agent', agentId && (names?.get(agentId) ?? agentId)],
          ['Tag', tag],
          ['Tool', tool],
          ['From', from && formatDateTime(from)],
          ['Before', to && formatDateTime(to)],
          ['Outcomes', outcomes.map(toWords).join(', ')],
          ['Sample', sample && `${sample.size} at random, seed ${sample.seed}`],
        ]}
      />
    </Section>
  );
}

function Settings({ input: { mode, repeats, baseline, ceiling, onMiss } }: { input: Replay['input'] }) {
  return (
    <Section title="How">
      <Facts
        facts={[
          ['Compared with', baseline ? 'the recorded version, run again' : 'what was recorded'],
          ['History', mode === 'turns' ? 'the recorded one' : 'what the replay has said'],
          ['Runs of each', repeats],
          ['No answer', misses[onMiss]],
          ['Stops at', ceiling.costUsd === undefined ? null : `${ceiling.costUsd} USD`],
          ['or at', ceiling.tokens === undefined ? null : `${ceiling.tokens} tokens`],
        ]}
      />
    </Section>
  );
}

const misses = {
  stop: 'a call without a recorded answer stops the case',
  stub: 'a call without a recorded answer gets a stub',
  live_if_read_only: 'a call without a recorded answer is made, if the tool only reads',
};

/** The maximum number of runs that are named one by one. */
const mostNamed = 50;

function ChosenRuns({ turnIds, isLinked }: { turnIds: readonly string[]; isLinked: boolean }) {
  return (
    <ul className={styles.ids}>
      {turnIds.slice(0, mostNamed).map((id) => (
        <li key={id}>
          {isLinked ? (
            <Link to="/runs/$turnId" params={{ turnId: id }}>
              {id}
            </Link>
          ) : (
            id
          )}
        </li>
      ))}
      {turnIds.length > mostNamed && <li>and {turnIds.length - mostNamed} more</li>}
    </ul>
  );
}

/** What else is different about the candidate, as it was sent. */
function Rest({ candidate }: { candidate: Replay['input']['candidate'] }) {
  const { agent, modelConnectionId, sampling, tools, rules } = candidate;
  const rest = JSON.stringify({ agent, modelConnectionId, sampling, tools, rules });
  return rest === '{}' ? null : <JsonView value={JSON.parse(rest) as JsonValue} />;
}
