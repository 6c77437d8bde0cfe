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

/** Stands where no page that the person may see has this address. */
export function NotFound() {
  return (
    <Empty
      title="There is no page at this address"
      text="It may need rights that you do not have, or belong to another workspace."
      action={<Link to="/">Go to the first page</Link>}
    />
  );
}
