import type { Attention, ChangeEntry, Cluster } from '@bey/contract'
import { ChevronDown, ChevronRight, GitCommitHorizontal, TriangleAlert, User, Workflow } from 'lucide-react'
import { useId } from 'react'
import { actorName } from '../../entities/kubernetes/change-before.ts'
import { cx } from '../../ui/class-names.ts'
import { absoluteTime, clockTime, dayText, shortTime } from '../../ui/time-text.ts'
import { ChangeDetails } from './change-details.tsx'
import { changeLabels } from './change-window.ts'

const icons = { object: GitCommitHorizontal, event: TriangleAlert, run: Workflow, action: User } as const
const dayMs = 86_400_000

export interface ChangeRowsProps {
  cluster: Cluster
  /** Newest first, equal warnings folded. */
  changes: readonly ChangeEntry[]
  attention: Attention | undefined
  /** The length of the time that is shown: days are named where it is longer than one. */
  lengthMs: number
  openKey: string | undefined
  onOpen: (key: string | undefined) => void
}

/** What changed, a row each; a row opens to its difference and to what followed. */
export function ChangeRows({ changes, openKey, onOpen, ...rest }: ChangeRowsProps) {
  return (
    <ul aria-label="Changes" className="divide-y divide-line border-b border-line">
      {changes.map((change) => (
        <ChangeRow
          key={change.key}
          change={change}
          isOpen={change.key === openKey}
          onToggle={() => onOpen(change.key === openKey ? undefined : change.key)}
          {...rest}
        />
      ))}
    </ul>
  )
}

function ChangeRow({
  cluster,
  change,
  attention,
  lengthMs,
  isOpen,
  onToggle,
}: Omit<ChangeRowsProps, 'changes' | 'openKey' | 'onOpen'> & {
  change: ChangeEntry
  isOpen: boolean
  onToggle: () => void
}) {
  const id = useId()
  const { kind, title, detail, object, by, at, isTrouble } = change
  const Icon = icons[kind]
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const time = new Date(at)
  const place = object ? [object.kind, object.namespace].filter(Boolean).join(' in ') : changeLabels[kind]
  return (
    <li className={isOpen ? 'bg-raised' : undefined}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
        className="grid min-h-9 w-full grid-cols-[auto_1rem_minmax(0,1fr)_1rem] items-baseline gap-x-3 px-(--gutter) py-2 text-left -outline-offset-2 hover:bg-hover md:grid-cols-[4.75rem_1rem_minmax(0,1fr)_minmax(0,12rem)_minmax(0,9rem)_1rem]"
      >
        <time dateTime={at} data-tooltip={absoluteTime(time)} className="text-text-2 tabular-nums">
          {lengthMs > dayMs ? `${dayText(time)} ${shortTime(time)}` : clockTime(time)}
        </time>
        <Icon
          size={14}
          aria-label={changeLabels[kind]}
          className={cx('mt-0.5 self-start', isTrouble ? 'text-danger' : 'text-text-2')}
        />
        <span className="min-w-0 wrap-anywhere md:truncate" data-tooltip={detail ?? undefined}>
          <span className={cx('font-medium', isTrouble && 'text-danger')}>{title}</span>
          {detail && kind !== 'action' ? <span className="text-text-2 max-md:hidden"> {detail}</span> : null}
          <span className="block text-small text-text-2 md:hidden">
            {[place, by && actorName(by)].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className="truncate text-text-2 max-md:hidden" data-tooltip={place}>
          {place}
        </span>
        <span className="truncate text-text-2 max-md:hidden" data-tooltip={by ?? undefined}>
          {by === null ? '' : actorName(by)}
        </span>
        <Chevron size={14} aria-hidden className="mt-0.5 self-start text-text-3" />
      </button>
      {isOpen ? (
        <div id={id}>
          <ChangeDetails cluster={cluster} change={change} attention={attention} />
        </div>
      ) : null}
    </li>
  )
}
