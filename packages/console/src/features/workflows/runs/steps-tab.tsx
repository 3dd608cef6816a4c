import type { StepRun } from '@bey/contract'
import { guaranteeTexts } from '@bey/contract'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { isStepOver } from '../../../entities/runs/expected-times.ts'
import type { FoldedRow, StepFold } from '../../../entities/runs/fold-steps.ts'
import { foldDone, foldSpan, foldText } from '../../../entities/runs/fold-steps.ts'
import { spanOf } from './node-look.tsx'
import { skipReason } from '../../../entities/runs/skip-reason.ts'
import { useFolds } from '../../../entities/runs/use-folds.ts'
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
import { useShownStep } from './use-shown-step.ts'
import { isAsking } from './waiting-panes.tsx'

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
  const { opened, toggle } = useFolds()
  const step = useShownStep(detail, runLocation)
  // Beside a decision there is room for what matters alone.
  const isNarrow = step !== undefined && isAsking(step)
  const columns = useMemo(() => {
    const all = columnsOf(usual, now, toggle)
    return isNarrow ? narrow(all) : all
  }, [usual, now, toggle, isNarrow])
  const isFiltered = text !== '' || kind !== 'all'
  const rows = useMemo(
    () =>
      isFiltered ? shown.map((each): FoldedRow => ({ step: each })) : foldDone(steps, step?.key, opened),
    [isFiltered, shown, steps, step?.key, opened],
  )
  return (
    <>
      {/* As high as its rows, so that the step below it begins where they end; a phone has a higher toolbar and rows. */}
      <div
        className="flex h-[calc(4.875rem+var(--rows)*2.25rem)] max-h-[max(22rem,calc(100dvh-33rem))] shrink-0 flex-col border-b border-line touch:h-[calc(12.25rem+var(--rows)*2.75rem)] max-md:h-[calc(12.25rem+var(--rows)*2.75rem)]"
        style={rowCount(Math.max(rows.length, 3))}
      >
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
          rows={rows}
          rowKey={keyOf}
          rowLabel={(row) => (row.fold ? foldText(row.fold) : row.step.name)}
          rowHref={(row) => (row.fold ? undefined : tabHref('steps', row.step.key))}
          peek={{
            current: step?.key,
            open: (key) => {
              const row = rows.find((each) => keyOf(each) === key)
              if (row?.fold) toggle(row.fold.id)
              else runLocation.change({ step: key })
            },
          }}
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
      <StepPanel detail={detail} step={step} runLocation={runLocation} now={now} />
    </>
  )
}

const rowCount = (rows: number) => ({ '--rows': rows }) satisfies Record<'--rows', number> as CSSProperties

const keyOf = (row: FoldedRow) => (row.fold ? `fold ${row.fold.id}` : row.step.key)

function columnsOf(
  usual: RunDetail['usual'],
  now: number,
  toggle: (id: string) => void,
): readonly Column<FoldedRow>[] {
  const ofStep = (cell: (step: StepRun) => ReactNode) => (row: FoldedRow) =>
    row.fold ? null : cell(row.step)
  return [
    {
      key: 'name',
      header: 'Step',
      width: '22%',
      cell: (row) =>
        row.fold ? (
          <FoldButton fold={row.fold} onToggle={() => toggle(row.fold.id)} />
        ) : row.step.parentKey === null ? (
          row.step.name
        ) : (
          <span className="pl-4 text-text-2">{`${row.step.name} · ${row.step.key}`}</span>
        ),
    },
    { key: 'type', header: 'Type', width: '9.5rem', isExtra: true, cell: ofStep(({ type }) => type) },
    {
      key: 'status',
      header: 'Status',
      cell: ofStep((step) => <StepStatus step={step} />),
      isVital: true,
    },
    {
      key: 'guarantee',
      header: 'Guarantee',
      width: '6.5rem',
      isExtra: true,
      cell: ofStep(({ guarantee }) => (
        <span data-tooltip={guaranteeTexts[guarantee].sentence}>{guaranteeTexts[guarantee].word}</span>
      )),
    },
    {
      key: 'attempt',
      header: 'Attempts',
      align: 'end',
      width: '5rem',
      isExtra: true,
      cell: ofStep(({ attempt }) => (attempt === 0 ? absent : attempt)),
    },
    {
      key: 'startedAt',
      header: 'Began',
      align: 'end',
      width: '7rem',
      isExtra: true,
      cell: ofStep(({ startedAt }) => <RelativeTime at={startedAt} />),
    },
    {
      key: 'took',
      header: 'Took',
      align: 'end',
      width: '6rem',
      cell: (row) => formatDuration(row.fold ? foldMs(row.fold) : tookMs(row.step, now)),
    },
    {
      key: 'usual',
      header: 'Usual',
      align: 'end',
      width: '5.5rem',
      isExtra: true,
      cell: ofStep(({ key }) => formatDuration(usual[key]?.medianMs)),
    },
  ]
}

function narrow(columns: readonly Column<FoldedRow>[]): Column<FoldedRow>[] {
  const widths: Readonly<Record<string, string>> = { name: '', status: '8.5rem' }
  return columns.flatMap(({ width: _width, ...column }) => {
    const width = widths[column.key]
    return width === undefined ? [] : [width === '' ? column : { ...column, width }]
  })
}

function tookMs(step: StepRun, now: number): number | undefined {
  return spanOf(step) ?? (step.startedAt ? now - Date.parse(step.startedAt) : undefined)
}

function foldMs(fold: StepFold): number | undefined {
  const span = foldSpan(fold)
  return span && span.to - span.from
}

/** What is done, in one row until it is opened. */
function FoldButton({ fold, onToggle }: { fold: StepFold; onToggle: () => void }) {
  const Chevron = fold.isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      aria-expanded={fold.isOpen}
      onClick={onToggle}
      className="flex max-w-full items-center gap-1.5 rounded-badge font-normal text-text-2 hover:text-text"
    >
      <Chevron size={14} aria-hidden className="shrink-0" />
      <span className="truncate" data-tooltip={foldText(fold)}>
        {foldText(fold)}
      </span>
    </button>
  )
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
