import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { toMessage } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

/** Stands where a page has thrown. */
export function Failure({ error, reset }: ErrorComponentProps) {
  return (
    <Empty
      title="This page has failed"
      text={toMessage(error)}
      action={<Button onPress={reset}>Try again</Button>}
    />
  );
}

/** Stands where no page has this address. */
export function NotFound() {
  return (
    <Empty
      title="There is no page at this address"
      text="It may belong to another workspace, or to a newer version."
      action={<Link to="/">Go to the first page</Link>}
    />
  );
}
