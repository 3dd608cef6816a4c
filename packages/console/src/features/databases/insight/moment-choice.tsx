import { formatCount } from '../../../lib/format.ts'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { momentText, shortTime } from '../../../ui/time-text.ts'
import type { LockMinute } from './lock-moments.ts'
import { shownMoments } from './lock-moments.ts'

interface MomentChoiceProps {
  minutes: readonly LockMinute[]
  /** Undefined is now. */
  value: string | undefined
  nowMs: number
  /** There is no now: the server cannot be asked. */
  isAway?: boolean
  onChange: (at: string | undefined) => void
}

/** Now, or a minute of the last 24 hours in which somebody waited. */
export function MomentChoice({ minutes, value, nowMs, isAway = false, onChange }: MomentChoiceProps) {
  if (minutes.length === 0) return null
  const { near, others } = shownMoments(minutes)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Moment"
        options={[
          ...(isAway ? [] : [{ value: 'now', label: 'Now' }]),
          ...near.map(({ at }) => ({ value: at, label: shortTime(new Date(at)) })),
        ]}
        value={value ?? 'now'}
        onChange={(chosen) => onChange(chosen === 'now' ? undefined : chosen)}
      />
      {others.length === 0 ? null : (
        <FilterSelect
          label="Another minute"
          all="Another minute"
          value={others.some(({ at }) => at === value) ? value : undefined}
          options={others.map(({ at, waiting }) => ({
            value: at,
            label: `${momentText(at, new Date(nowMs))}, ${formatCount(waiting, 'session')} waited`,
          }))}
          onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
        />
      )}
    </span>
  )
}
