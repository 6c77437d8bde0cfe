import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReplayCaseDetails } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { Choice } from '../../ui/choice.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import { BrokenCalls, JudgedSection } from './case-findings.tsx';
import { CaseRunTable } from './case-run-table.tsx';
import { CaseTurn } from './case-turn.tsx';
import { caseQuery, nextChangedQuery, replayQuery, reportCaseQuery } from './queries.ts';
import styles from './replays.module.css';
import { parseCaseSearch } from './search.ts';
import { changeTones, laneNames, toChange } from './words.ts';

type Run = ReplayCaseDetails['runs'][number];

/** A case: the recorded run beside one of the replay. */
export function Page() {
  const replayId = useParameter('replayId');
  const position = Number(useParameter('position'));
  const details = useQuery(caseQuery(replayId, position));
  const runs = details.data?.runs ?? [];
  const { beside = 'candidate 1' } = useSearchOf(parseCaseSearch);
  const others = runs.filter(({ lane }) => lane !== 'original');
  const shown =
    others.find((run) => toRunName(run) === beside) ?? others.find(({ lane }) => lane === 'candidate');
  return (
    <Frame
      title={`Case ${position}`}
      meta={<Meta replayId={replayId} position={position} />}
      actions={<Ways replayId={replayId} position={position} runs={runs} />}
      bar={<RunChoice runs={others} shown={shown} />}
    >
      <Problem error={details.error} />
      {details.data && (
        <Sections>
          <SideBySide replayId={replayId} details={details.data} shown={shown} />
          <BrokenCalls calls={shown?.comparison?.brokenCalls ?? []} />
          <JudgedSection judged={shown?.comparison?.judged ?? null} />
          <Section title="Runs">
            <CaseRunTable runs={runs} />
          </Section>
        </Sections>
      )}
    </Frame>
  );
}

const toRunName = ({ lane, repeat }: Run) => `${lane} ${repeat}`;

function Meta({ replayId, position }: { replayId: string; position: number }) {
  const { data: replay } = useQuery(replayQuery(replayId));
  const { data: one } = useQuery(reportCaseQuery(replayId, position));
  return (
    <>
      {one && <Status status={toChange(one)} tone={changeTones[toChange(one)]} />}
      <Link to="/replays/$replayId" params={{ replayId }} search={{ view: 'cases' }}>
        {replay?.name ?? 'The replay'}
      </Link>
    </>
  );
}

function Ways({ replayId, position, runs }: { replayId: string; position: number; runs: readonly Run[] }) {
  const { data: next } = useQuery(nextChangedQuery(replayId, position));
  const turnId = runs.find(({ lane }) => lane === 'original')?.run?.turns[0]?.turnId;
  return (
    <>
      {turnId !== undefined && (
        <Link to="/runs/$turnId" params={{ turnId }} className={styles.link}>
          Open the recorded run
        </Link>
      )}
      {typeof next === 'number' && (
        <Link
          to="/replays/$replayId/cases/$position"
          params={{ replayId, position: String(next) }}
          className={styles.link}
        >
          Next changed case
        </Link>
      )}
    </>
  );
}

function RunChoice({ runs, shown }: { runs: readonly Run[]; shown: Run | undefined }) {
  const navigate = useNavigate();
  if (runs.length < 2 || !shown) return null;
  const several = new Set(runs.map(({ repeat }) => repeat)).size > 1;
  const options = runs.map((run) => ({
    value: toRunName(run),
    text: `${laneNames[run.lane] ?? run.lane}${several ? `, run ${run.repeat}` : ''}`,
  }));
  return (
    <Choice
      label="Beside the recorded run"
      value={toRunName(shown)}
      options={options}
      onChange={(beside) => void navigate({ to: '.', search: { beside }, replace: true })}
    />
  );
}

interface SideBySideProps {
  replayId: string;
  details: ReplayCaseDetails;
  shown: Run | undefined;
}

function SideBySide({ replayId, details, shown }: SideBySideProps) {
  const { data: one } = useQuery(reportCaseQuery(replayId, details.position));
  const recorded = details.runs.find(({ lane }) => lane === 'original')?.run?.turns ?? [];
  const found = shown?.run?.turns ?? [];
  const difference = shown?.comparison?.firstDifference ?? null;
  if (shown?.error)
    return (
      <Section title="It could not be run">
        <p className={styles.error}>{shown.error.message}</p>
      </Section>
    );
  return Array.from({ length: Math.max(recorded.length, found.length) }, (_, index) => (
    <CaseTurn
      key={index}
      title={recorded.length > 1 ? `Turn ${index + 1}` : 'What happened'}
      recorded={recorded[index]}
      found={found[index]}
      foundName={laneNames[shown?.lane ?? 'candidate'] ?? ''}
      difference={difference?.turn === index + 1 ? difference : null}
      answerDiff={shown?.lane === 'candidate' && one?.turn === index + 1 ? one.answerDiff : null}
    />
  ));
}
