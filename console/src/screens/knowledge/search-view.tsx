import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { KnowledgeResult } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { formatCount } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import styles from './knowledge.module.css';
import { passagesQuery } from './queries.ts';

const score = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Shows the passages that an agent would be given for a question, the best first. */
export function SearchView({ baseId, query }: { baseId: string; query: string }) {
  const [text, setText] = useState(query);
  const navigate = useNavigate();
  const passages = useQuery({ ...passagesQuery(baseId, query), enabled: query !== '' });
  const found = passages.data?.results;
  return (
    <div className={styles.reading}>
      <form
        role="search"
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: '.', search: { view: 'search', query: text.trim() }, replace: true });
        }}
      >
        <Field label="What an agent would search for" type="search" value={text} onChange={setText} />
        <Button kind="main" type="submit" isPending={passages.isFetching} isDisabled={text.trim() === ''}>
          Search
        </Button>
      </form>
      <Problem error={passages.error} />
      {passages.data?.notice != null && <p className={styles.notice}>{passages.data.notice}</p>}
      <p role="status" className={styles.quiet}>
        {found &&
          found.length > 0 &&
          `${formatCount(found.length)} ${found.length === 1 ? 'passage' : 'passages, the best first'}`}
      </p>
      {found?.length === 0 && (
        <Empty title="Nothing is found" text="Searches find documents that are ready. Try other words." />
      )}
      <ol className={styles.passages}>
        {found?.map((passage) => (
          <Passage key={`${passage.document.id} ${passage.position}`} passage={passage} />
        ))}
      </ol>
    </div>
  );
}

function Passage({ passage }: { passage: KnowledgeResult }) {
  const { document, position, page, headings, text } = passage;
  return (
    <li className={styles.passage}>
      <p className={styles.source}>
        <Link to="." search={(before: object) => ({ ...before, document: document.id })} replace>
          {document.name}
        </Link>
        {headings.length > 0 && <span>{headings.join(' / ')}</span>}
        {page !== null && <span>page {page}</span>}
        <span>passage {formatCount(position + 1)}</span>
        <span>score {score.format(passage.score)}</span>
      </p>
      <p className={styles.text}>{text}</p>
    </li>
  );
}
