import type { StepRun } from '@bey/contract'
import { useMemo, useState } from 'react'
import { itemsText } from './loop-items.ts'
import { spanOf } from './node-look.tsx'
import { formatDuration } from '../../../lib/format.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { Status } from '../../../ui/status.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { tabHref } from './run-location.ts'

const kinds = ['all', 'trouble'] as const
const options = [
  { value: 'all', label: 'All' },
  { value: 'trouble', label: 'In trouble' },
] as const

/** What became of each item of a loop. */
export function StepItems({
  items,
  now,
  onOpen,
}: {
  items: readonly StepRun[]
  now: number
  onOpen: (key: string) => void
}) {
  const [kind, setKind] = useState<(typeof kinds)[number]>('all')
  const shown = useMemo(
    () =>
      kind === 'all' ? items : items.filter(({ error, status }) => error !== null || status === 'uncertain'),
    [items, kind],
  )
  const columns = useMemo(() => columnsOf(now), [now])
  return (
    <div className="flex h-[23rem] flex-col">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-(--gutter) py-2">
        <span className="text-small text-text-2 tabular-nums">{itemsText(items)}</span>
        <Segmented label="Which items" options={options} value={kind} onChange={setKind} />
      </div>
      <Table
        label="Items"
        isFilled
        columns={columns}
        rows={shown}
        rowKey={({ key }) => key}
        rowLabel={({ key }) => `Item ${itemNumber(key)}`}
        rowHref={({ key }) => tabHref(undefined, key)}
        peek={{ current: undefined, open: (key) => (key === undefined ? undefined : onOpen(key)) }}
        empty={<p className="p-6 text-text-2">No item is in trouble.</p>}
      />
    </div>
  )
}

function columnsOf(now: number): readonly Column<StepRun>[] {
  return [
    { key: 'item', header: 'Item', width: '5rem', cell: ({ key }) => itemNumber(key) },
    {
      key: 'status',
      header: 'Status',
      width: '9rem',
      isVital: true,
      cell: ({ status }) => <Status of="run" status={status} />,
    },
    {
      key: 'error',
      header: 'Error',
      cell: ({ error, note }) => {
        const text = error?.message ?? note
        return (
          <span
            className={error ? 'block truncate text-danger' : 'block truncate text-text-2'}
            data-tooltip={text}
          >
            {text}
          </span>
        )
      },
    },
    {
      key: 'took',
      header: 'Took',
      align: 'end',
      width: '6rem',
      cell: (step) =>
        formatDuration(spanOf(step) ?? (step.startedAt ? now - Date.parse(step.startedAt) : undefined)),
    },
  ]
}

/** `deploy[3]` is item 4: people count from 1, as the name of the step does. */
function itemNumber(key: string): number {
  return Number(/\[(\d+)\]/.exec(key)?.[1] ?? 0) + 1
}
