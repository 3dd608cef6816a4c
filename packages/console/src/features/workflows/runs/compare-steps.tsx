import type { StepRun } from '@bey/contract'
import { formatCount, formatDuration, formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { statusLook } from '../../../ui/status-table.ts'
import type { ComparedStep, Comparison } from './compare-runs.ts'

/** More rows than this are not drawn; what differs comes first in them. */
const mostRows = 300

const columns =
  'grid grid-cols-[8rem_minmax(0,1fr)_minmax(0,1fr)] md:grid-cols-[13rem_minmax(0,1fr)_minmax(0,1fr)_8rem] items-center'

/** The steps of two runs in line, their durations mirrored around one axis. */
export function CompareSteps({
  compared,
  selected,
  isOnlyDifferent,
  onSelect,
  onShow,
}: {
  compared: Comparison
  selected: string | undefined
  isOnlyDifferent: boolean
  onSelect: (key: string) => void
  onShow: (isOnlyDifferent: boolean) => void
}) {
  const { steps, longestMs } = compared
  const different = steps.filter(({ isDifferent }) => isDifferent)
  const all = isOnlyDifferent ? different : steps
  const shown = all.slice(0, mostRows)
  return (
    <section aria-label="Steps" className="shrink-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-(--gutter) py-1.5">
        <h2 className="font-semibold">Steps, aligned</h2>
        <span className="text-small text-text-2 tabular-nums">
          {formatCount(steps.length, 'step')}, {formatNumber(different.length)}{' '}
          {different.length === 1 ? 'differs' : 'differ'}
        </span>
        <span className="ml-auto">
          <Segmented
            label="Which steps"
            options={[
              { value: 'all', label: 'All' },
              { value: 'different', label: 'Only what differs' },
            ]}
            value={isOnlyDifferent ? 'different' : 'all'}
            onChange={(value) => onShow(value === 'different')}
          />
        </span>
      </div>
      <div
        aria-hidden
        className={cx(columns, 'h-7 border-b border-line px-(--gutter) text-small text-text-2')}
      >
        <span>Step</span>
        <span className="pr-3 text-right font-medium text-text">Run A</span>
        <span className="pl-3 font-medium text-text">Run B</span>
        <span className="text-right max-md:hidden">Difference</span>
      </div>
      <ol>
        {shown.map((step) => (
          <li key={step.key}>
            <StepRow
              step={step}
              longestMs={longestMs}
              isSelected={step.key === selected}
              onSelect={() => onSelect(step.key)}
            />
          </li>
        ))}
      </ol>
      {all.length > shown.length ? (
        <p className="border-b border-line px-(--gutter) py-2 text-text-2">
          The first {mostRows} of {formatNumber(all.length)} are shown.
        </p>
      ) : null}
      {all.length === 0 ? (
        <p className="border-b border-line px-(--gutter) py-2 text-text-2">No step differs.</p>
      ) : null}
    </section>
  )
}

function StepRow({
  step,
  longestMs,
  isSelected,
  onSelect,
}: {
  step: ComparedStep
  longestMs: number
  isSelected: boolean
  onSelect: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onSelect}
      className={cx(
        columns,
        'min-h-8 w-full border-b border-line px-(--gutter) text-left -outline-offset-2',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <span className={cx('truncate pr-2', step.isDifferent ? 'font-medium' : 'text-text-2')}>
        {step.name}
      </span>
      <Side run="A" step={step.a} ms={step.aMs} longestMs={longestMs} />
      <Side run="B" step={step.b} ms={step.bMs} longestMs={longestMs} />
      <span
        className={cx(
          'truncate text-right tabular-nums max-md:hidden',
          step.isNotable ? 'text-warn' : 'text-text-2',
        )}
      >
        {step.difference}
      </span>
    </button>
  )
}

/** One run's part: its bar begins at the axis, words and status stand at the outside. */
function Side({
  run,
  step,
  ms,
  longestMs,
}: {
  run: 'A' | 'B'
  step: StepRun | undefined
  ms: number | undefined
  longestMs: number
}) {
  const look = step ? statusLook(step.status, 'run') : undefined
  const isLeft = run === 'A'
  const isBad = look?.tone === 'danger'
  const words =
    step === undefined ? 'not in this version' : ms === undefined ? look?.label : formatDuration(ms)
  return (
    <span
      className={cx(
        'flex h-full min-w-0 items-center gap-2 self-stretch',
        isLeft ? 'border-r border-line-strong pr-3 pl-1' : 'flex-row-reverse pr-1 pl-3',
      )}
    >
      <span
        className={cx(
          'flex w-36 shrink-0 items-center gap-1.5 text-small tabular-nums max-md:w-16',
          isLeft ? 'justify-end' : 'flex-row-reverse justify-end',
          isBad ? 'text-danger' : 'text-text-2',
        )}
      >
        <span className="truncate">
          {words}
          {step && step.attempt > 1 ? `, ${step.attempt} attempts` : ''}
        </span>
        {look ? (
          <span className="shrink-0">
            <StatusMark glyph={look.glyph} />
          </span>
        ) : null}
        <span className="sr-only">
          in run {run}, {look?.label ?? 'absent'}
        </span>
      </span>
      <span className={cx('flex min-w-0 flex-1', isLeft ? 'justify-end' : 'justify-start')}>
        {ms === undefined ? null : (
          <span
            aria-hidden
            data-live-color=""
            className={cx('h-2.5 min-w-0.5 rounded-[2px]', isBad ? 'bg-danger' : barOf(step))}
            style={{ width: `${(ms / longestMs) * 100}%` }}
          />
        )}
      </span>
    </span>
  )
}

const hatched =
  'border border-control bg-[repeating-linear-gradient(135deg,var(--line-strong)_0_2px,transparent_2px_6px)]'

function barOf(step: StepRun | undefined): string {
  if (step?.status === 'running') return 'bg-info'
  return ['wait', 'wait_event', 'approval'].includes(step?.type ?? '') ? hatched : 'bg-control'
}
