import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSearchOf } from '../../app/address.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatCompact, formatCount, formatCredits } from '../../ui/format.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Sections } from '../../ui/section.tsx';
import { useNow } from '../../ui/time.tsx';
import { DaySection } from './day-section.tsx';
import { sumFigures } from './figures.ts';
import { AgentSection, PersonSection } from './group-sections.tsx';
import { ModelSection } from './model-section.tsx';
import { figuresQuery, type Counted } from './queries.ts';
import { countDays, mostDays, toDayRange } from './range.ts';
import { parseUsageSearch, type Measure } from './search.ts';
import { ToolSection } from './tool-section.tsx';
import { UsageFilters } from './usage-filters.tsx';

const hourMs = 3_600_000;

/** What agents have cost, and how much they did: by day, agent, person, model and tool. */
export function Page() {
  const search = useSearchOf(parseUsageSearch);
  const range = toDayRange(search, useNow(hourMs));
  const days = countDays(range);
  const counted = { ...range, agentId: search.agentId, person: search.person };
  return (
    <Frame
      title="Usage"
      meta={isFit(days) && <Sums counted={counted} />}
      bar={<UsageFilters search={search} range={range} />}
    >
      {isFit(days) ? (
        <Figures counted={counted} show={search.show} />
      ) : (
        <Problem error={toRangeError(days)} />
      )}
    </Frame>
  );
}

const isFit = (days: number) => days >= 1 && days <= mostDays;

function toRangeError(days: number): Error {
  if (days < 1) return new Error('The last day is before the first one. Choose other days.');
  return new Error(`These are ${formatCount(days)} days. Choose at most ${mostDays}.`);
}

function Figures({ counted, show }: { counted: Counted; show: Measure }) {
  const { data } = useQuery(figuresQuery('day', counted));
  const { agentId, person } = counted;
  if (data?.length === 0)
    return (
      <Empty
        title="Nothing ran in these days"
        text="What agents cost, by day, agent, person, model and tool, is shown here from their first run on."
        action={<Link to="/playground">Talk to an agent</Link>}
      />
    );
  return (
    <Sections>
      <DaySection counted={counted} show={show} />
      {agentId === undefined && <AgentSection counted={counted} />}
      {person === undefined && <PersonSection counted={counted} />}
      <ModelSection counted={counted} />
      {person === undefined && <ToolSection counted={counted} />}
    </Sections>
  );
}

function Sums({ counted }: { counted: Counted }) {
  const { data } = useQuery(figuresQuery('day', counted));
  if (!data) return null;
  const { turns, inputTokens, outputTokens, credits, unpriced } = sumFigures(data);
  return (
    <>
      <span>{formatCredits(credits)}</span>
      <span>{turns === 1 ? '1 turn' : `${formatCount(turns)} turns`}</span>
      <span>{formatCompact(inputTokens)} tokens in</span>
      <span>{formatCompact(outputTokens)} tokens out</span>
      {unpriced > 0 && <span>{formatCount(unpriced)} calls without a price count as free</span>}
    </>
  );
}
