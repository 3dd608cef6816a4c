import type { Database } from '../../data/databases.ts'
import { cx } from '../../ui/class-names.ts'
import { formatCount } from '../../lib/format.ts'

/** The last restore drills of a database as ticks, the newest at the right: passed, failed, or not to be run. */
export function DrillTicks({ drills }: Pick<Database, 'drills'>) {
  if (drills.length === 0) return <span className="text-text-3">never</span>
  const count = (proof: string) => drills.filter((each) => each.proof === proof).length
  const words = [
    `${count('passed')} of ${formatCount(drills.length, 'drill')} passed`,
    count('failed') > 0 ? `${count('failed')} failed` : '',
    count('could_not_run') > 0 ? `${count('could_not_run')} could not run` : '',
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <span data-tooltip={words} className="inline-flex h-4 items-end gap-0.5">
      <span className="sr-only">{words}</span>
      {drills.map(({ id, proof }) => (
        <span
          key={id}
          className={cx(
            proof === 'passed' && 'h-[9px] w-0.5 bg-line-strong',
            proof === 'failed' && 'h-3.5 w-[3px] bg-danger',
            proof === 'could_not_run' && 'h-[9px] w-[3px] border border-dashed border-text-3',
          )}
        />
      ))}
    </span>
  )
}
