import type { StepRun } from '@bey/contract'
import { guaranteeTexts } from '@bey/contract'
import { useMemo, useState } from 'react'
import { isStepOver } from '../../../entities/runs/expected-times.ts'
import { spanOf } from '../../../entities/runs/node-look.tsx'
import { skipReason } from '../../../entities/runs/skip-reason.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { absent, formatCount, formatDuration } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Status } from '../../../ui/status.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { Toolbar } from '../../../ui/toolbar.tsx'
import type { RunTabProps } from './run-page.tsx'
import { tabHref } from './run-location.ts'
import { StepPanel } from './step-panel.tsx'

const kinds = ['all', 'open', 'trouble', 'over'] as const
type Kind = (typeof kinds)[number]

const kindOptions: readonly { value: Kind; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Under way' },
  { value: 'trouble', label: 'In trouble' },
  { value: 'over', label: 'Over' },
]

const isOfKind: Record<Kind, (step: StepRun) => boolean> = {
  all: () => true,
  open: ({ status }) => ['ready', 'running', 'waiting', 'retry_wait'].includes(status),
  trouble: ({ status }) => ['failed', 'timed_out', 'uncertain', 'retry_wait'].includes(status),
  over: isStepOver,
}

/** The steps of a run as a table, however many; iterations stand below their step. */
export function StepsTab({ detail, runLocation, now }: RunTabProps) {
  const { steps, usual } = detail
  const [text, setText] = useState('')
  const [kind, setKind] = useState<Kind>('all')
  const shown = useMemo(() => {
    const wanted = text.toLowerCase()
    return steps.filter(
      (step) =>
        isOfKind[kind](step) &&
        (wanted === '' ||
          [step.name, step.key, step.type].some((each) => each.toLowerCase().includes(wanted))),
    )
  }, [steps, text, kind])
  const columns = useMemo(() => columnsOf(usual, now), [usual, now])
  const step = steps.find(({ key }) => key === runLocation.step)
  const isFiltered = text !== '' || kind !== 'all'
  return (
    <>
      <div className="flex h-[max(22rem,calc(100dvh-33rem))] shrink-0 flex-col border-b border-line">
        <Toolbar
          end={
            <span className="text-small text-text-2 tabular-nums">
              {isFiltered
                ? `${shown.length} of ${formatCount(steps.length, 'step')}`
                : formatCount(steps.length, 'step')}
            </span>
          }
        >
          <FilterInput label="Filter steps" value={text} onChange={setText} />
          <Segmented label="Which steps" options={kindOptions} value={kind} onChange={setKind} />
        </Toolbar>
        <Table
          label="Steps"
          isFilled
          columns={columns}
          rows={shown}
          rowKey={({ key }) => key}
          rowLabel={({ name }) => name}
          rowHref={({ key }) => tabHref('steps', key)}
          peek={{ current: step?.key, open: (key) => runLocation.change({ step: key }) }}
          empty={
            <EmptyState title="No steps yet" description="Steps are listed as soon as the run begins." />
          }
          filter={
            isFiltered
              ? {
                  query: [text, kind === 'all' ? '' : kindOptions.find(({ value }) => value === kind)?.label]
                    .filter(Boolean)
                    .join(' · '),
                  onClear: () => {
                    setText('')
                    setKind('all')
                  },
                }
              : undefined
          }
        />
      </div>
      {step ? (
        <StepPanel detail={detail} step={step} runLocation={runLocation} now={now} />
      ) : (
        <p className="px-(--gutter) py-4 text-text-2">
          Choose a step to see its log, input, output and attempts.
        </p>
      )}
    </>
  )
}

function columnsOf(usual: RunDetail['usual'], now: number): readonly Column<StepRun>[] {
  return [
    {
      key: 'name',
      header: 'Step',
      width: '22%',
      cell: ({ name, key, parentKey }) =>
        parentKey === null ? name : <span className="pl-4 text-text-2">{`${name} · ${key}`}</span>,
    },
    { key: 'type', header: 'Type', width: '8rem', cell: ({ type }) => type },
    {
      key: 'status',
      header: 'Status',
      cell: (step) => <StepStatus step={step} />,
      isVital: true,
    },
    {
      key: 'guarantee',
      header: 'Guarantee',
      width: '6.5rem',
      cell: ({ guarantee }) => (
        <span data-tooltip={guaranteeTexts[guarantee].sentence}>{guaranteeTexts[guarantee].word}</span>
      ),
    },
    {
      key: 'attempt',
      header: 'Attempts',
      align: 'end',
      width: '5rem',
      cell: ({ attempt }) => (attempt === 0 ? absent : attempt),
    },
    {
      key: 'startedAt',
      header: 'Began',
      align: 'end',
      width: '7rem',
      cell: ({ startedAt }) => <RelativeTime at={startedAt} />,
    },
    {
      key: 'took',
      header: 'Took',
      align: 'end',
      width: '6rem',
      cell: (step) =>
        formatDuration(spanOf(step) ?? (step.startedAt ? now - Date.parse(step.startedAt) : undefined)),
    },
    {
      key: 'usual',
      header: 'Usual',
      align: 'end',
      width: '5.5rem',
      cell: ({ key }) => formatDuration(usual[key]?.medianMs),
    },
  ]
}

/** The status, and why where a step was skipped or failed. */
function StepStatus({ step }: { step: StepRun }) {
  const reason = skipReason(step)
  const text = reason === undefined ? step.error?.message : `skipped: ${reason}`
  if (text === undefined) return <Status of="run" status={step.status} />
  if (reason === undefined) {
    return (
      <span className="flex items-center gap-2" data-tooltip={text}>
        <Status of="run" status={step.status} />
        <span className="min-w-0 truncate text-text-2">{text}</span>
      </span>
    )
  }
  return (
    <span className="flex items-center gap-1.5" data-tooltip={text}>
      <Status of="run" status={step.status} label="" />
      <span className="min-w-0 truncate">{text}</span>
    </span>
  )
}
