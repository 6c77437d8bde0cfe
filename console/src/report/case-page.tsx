import { Link } from '@tanstack/react-router';
import { useParameter } from '../app/address.ts';
import type { ReportCase } from '../api/replay-report.ts';
import { BrokenCalls, JudgedSection } from '../screens/replays/case-findings.tsx';
import { changeTones, toChange } from '../screens/replays/words.ts';
import { Facts } from '../ui/facts.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Page } from '../ui/page.tsx';
import { Section, Sections } from '../ui/section.tsx';
import { Status } from '../ui/status.tsx';
import { CaseAnswers } from './case-answers.tsx';
import { CaseFigures } from './case-figures.tsx';
import { report } from './given-report.ts';
import { Absent } from './report-page.tsx';

const { replay, cases } = report;
const indexes = new Map(cases.map(({ position }, index) => [String(position), index]));

/** A case of the report, whole. */
export function CasePage() {
  const index = indexes.get(useParameter('position')) ?? -1;
  const one = cases[index];
  if (!one) return <Absent />;
  const { candidate } = one.lanes;
  return (
    <Page title={`Case ${one.position}`} meta={<Meta one={one} />} actions={<Next after={index} />}>
      <Sections>
        <CaseAnswers one={one} />
        <BrokenCalls calls={candidate?.brokenCalls ?? []} />
        <JudgedSection judged={candidate?.judged} />
        <OtherAnswer one={one} />
        <Section title="Runs">
          <CaseFigures one={one} />
          <Facts
            facts={[
              ['Conversation', one.conversationId],
              ['Turns', one.turnIds.join(', ')],
            ]}
          />
        </Section>
      </Sections>
    </Page>
  );
}

function Meta({ one }: { one: ReportCase }) {
  return (
    <>
      <Status status={toChange(one)} tone={changeTones[toChange(one)]} />
      <Link to="/replays/$replayId" params={{ replayId: replay.id }} search={{ view: 'cases' }}>
        {replay.name}
      </Link>
    </>
  );
}

/** Leads to the next case in the order of the report, in which those that changed most come first. */
function Next({ after }: { after: number }) {
  const next = cases[after + 1];
  if (!next?.changed) return null;
  return (
    <Link
      to="/replays/$replayId/cases/$position"
      params={{ replayId: replay.id, position: String(next.position) }}
    >
      Next changed case
    </Link>
  );
}

/** The answer of the recorded version, run again, when it is another one. */
function OtherAnswer({ one: { lanes } }: { one: ReportCase }) {
  const { baseline } = lanes;
  if (!baseline || (baseline.answer === null && !baseline.error)) return null;
  return (
    <Section title="The recorded version, again">
      {baseline.error ? <p>{baseline.error.message}</p> : <Markdown text={baseline.answer ?? ''} />}
    </Section>
  );
}
