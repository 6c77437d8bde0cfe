import { Link } from '@tanstack/react-router';
import { Empty } from '../../ui/empty.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Time } from '../../ui/time.tsx';
import type { Swarm } from './queries.ts';
import styles from './swarms.module.css';

/** The newest messages that the agents of a swarm have sent each other. */
export function Messages({ messages }: { messages: Swarm['state']['messages'] }) {
  if (messages.length === 0)
    return (
      <Empty
        title="There are no messages"
        text="Agents with the function send_message send each other messages by a topic of the swarm."
      />
    );
  return (
    <ol className={styles.messages}>
      {messages.map(({ id, topic, text, from, createdAt }) => (
        <li key={id}>
          <p className={styles.quiet}>
            <Link to="/runs/$turnId" params={{ turnId: from.turnId }}>
              {from.agentName}
            </Link>{' '}
            about <code>{topic}</code>, <Time at={createdAt} />
          </p>
          <Markdown text={text} />
        </li>
      ))}
    </ol>
  );
}
