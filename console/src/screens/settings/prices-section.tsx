import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../app/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import type { Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { NewPriceButton } from './new-price.tsx';
import { pricesQuery, removePrice, type Price } from './prices.ts';
import styles from './settings.module.css';

interface Row extends Price {
  model: string;
}

/** The prices that the workspace has set, and the list that holds for all other models. */
export function PricesSection() {
  const canWrite = useMay()('budgets:write');
  const prices = useQuery(pricesQuery);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: removePrice,
    onSettled: () => queries.invalidateQueries({ queryKey: ['prices'] }),
  });
  const { own = {}, list = {}, version = '' } = prices.data ?? {};
  const toRemove: Column<Row> = {
    name: 'Remove',
    hidesName: true,
    width: '',
    cell: ({ model }) => (
      <ConfirmButton
        title={`Remove the price of ${model}?`}
        text="Turns that begin afterwards cost by the list. Calls that were made keep their cost."
        onConfirm={() => remove.mutate(model)}
      >
        Remove
      </ConfirmButton>
    ),
  };
  return (
    <Section title="Prices" actions={canWrite && <NewPriceButton />}>
      <Problem error={prices.error ?? remove.error} />
      {prices.isSuccess && (
        <>
          <Table
            label="Prices of the workspace"
            items={toRows(own)}
            toKey={({ model }) => model}
            columns={canWrite ? [...columns, toRemove] : columns}
            empty="The workspace has set no price: the list holds."
          />
          <details>
            <summary>{`The list of ${version}, in US dollars for a million tokens`}</summary>
            <Table
              label="List of prices"
              items={toRows(list)}
              toKey={({ model }) => model}
              columns={columns}
            />
          </details>
        </>
      )}
    </Section>
  );
}

const toRows = (prices: Readonly<Record<string, Price>>): Row[] =>
  Object.entries(prices).map(([model, price]) => ({ model, ...price }));

const columns: readonly Column<Row>[] = [
  { name: 'Model', width: '', cell: ({ model }) => <code className={styles.name}>{model}</code> },
  { name: 'Input', width: '', isNumber: true, cell: ({ input }) => formatDollars(input) },
  { name: 'Output', width: '', isNumber: true, cell: ({ output }) => formatDollars(output) },
  {
    name: 'Read from cache',
    width: '',
    isNumber: true,
    isWide: true,
    cell: ({ cacheRead, input }) => formatDollars(cacheRead ?? input),
  },
  {
    name: 'A call',
    width: '',
    isNumber: true,
    isWide: true,
    cell: ({ perCall }) => formatDollars(perCall ?? 0),
  },
];

const dollars = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
});
const formatDollars = (amount: number) => dollars.format(amount);
