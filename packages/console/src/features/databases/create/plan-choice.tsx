import type { DatabasePlanId } from '@bey/contract'
import { useId } from 'react'
import type { DatabasePlaces } from '../../../data/databases.ts'
import { planLabels } from '../../../entities/databases/database-text.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'

/** How much of the machine the database is set up for. */
export function PlanChoice({
  chosen,
  onChange,
  places,
}: {
  chosen: DatabasePlanId
  onChange: (plan: DatabasePlanId) => void
  places: DatabasePlaces
}) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Size</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {places.embedded.plans.map(({ id, memoryBytes, maxConnections, refusal }) => (
          <div
            key={id}
            className={cx(
              'relative flex items-start gap-2.5 rounded-card border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring',
              id === chosen ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
            )}
          >
            <input
              id={`${name}-${id}`}
              type="radio"
              name={name}
              checked={id === chosen}
              onChange={() => onChange(id)}
              aria-describedby={`${name}-${id}-text`}
              className="mt-0.5 size-4 shrink-0 outline-none"
            />
            <div className="min-w-0">
              <label htmlFor={`${name}-${id}`} className="font-medium after:absolute after:inset-0">
                {planLabels[id]}
              </label>
              <div id={`${name}-${id}-text`} className="text-text-2 tabular-nums">
                <p>{formatBytes(memoryBytes)} of memory</p>
                <p>{formatNumber(maxConnections)} connections</p>
                {refusal === null ? null : <p className="mt-0.5 text-small text-warn">does not fit</p>}
              </div>
            </div>
          </div>
        ))}
      </div>
      <p className="mt-1.5 text-small text-text-3">Memory is what the server is set up for.</p>
    </fieldset>
  )
}
