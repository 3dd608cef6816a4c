import type { Database } from '../../data/databases.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

const proofWords = { passed: 'passed', failed: 'failed', could_not_run: 'could not run' } as const

/** What the last restore drill proved, and when. */
export function LastDrill({ drills }: Pick<Database, 'drills'>) {
  const last = drills.at(-1)
  if (last === undefined) return 'never'
  return (
    <span className={last.proof === 'failed' ? 'text-danger' : undefined} data-live-color="">
      {proofWords[last.proof]} <RelativeTime at={last.at} />
    </span>
  )
}
