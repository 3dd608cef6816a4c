import type { HealthState } from '@bey/contract'
import { healthStates } from '@bey/contract'
import { formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { cx } from '../../ui/class-names.ts'
import { Status } from '../../ui/status.tsx'
import { healthOf } from './health-select.tsx'
import { healthGroupWords } from './health-words.ts'

/** How many rows are in each state of health, each a filter that a second click takes back. */
export function HealthCounts({
  counts,
  listLocation,
}: {
  counts: Readonly<Record<HealthState, number>>
  listLocation: ListLocation
}) {
  const asked = healthOf(listLocation)
  return (
    <fieldset aria-label="Rows by health" className="flex flex-wrap items-center gap-1">
      {healthStates
        .filter((state) => counts[state] > 0 || state === asked)
        .map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={state === asked}
            onClick={() => listLocation.change({ health: state === asked ? '' : state })}
            className={cx(
              'flex min-h-7 items-center gap-1.5 rounded-control px-2 hover:bg-hover',
              state === asked && 'bg-active',
            )}
          >
            <Status status={state} label={healthGroupWords[state]} />
            <span className="text-text-2 tabular-nums">{formatNumber(counts[state])}</span>
          </button>
        ))}
    </fieldset>
  )
}
