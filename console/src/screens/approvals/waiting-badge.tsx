import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pendingActionsQuery } from '../../live/actions/pending-actions.ts';
import { formatCount } from '../../ui/format.ts';
import { setTitleCount } from '../../ui/title-count.ts';
import styles from './approvals.module.css';

/** How many actions wait for people, in the navigation and in the title of the tab. */
function WaitingBadge() {
  const { data } = useQuery(pendingActionsQuery);
  const count = data?.actions.length ?? 0;
  useEffect(() => {
    setTitleCount(count);
    return () => setTitleCount(0);
  }, [count]);
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      {formatCount(count)}
      {data?.isCut === true && '+'}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
}

// React loads a component by the default export of its module.
// eslint-disable-next-line no-restricted-syntax
export default WaitingBadge;
