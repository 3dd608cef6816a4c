import type { ErrorGroup, ErrorGroupStatus } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useSetErrorStatus } from '../../data/error-log.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { toast } from '../../ui/toast.ts'

const failures: Readonly<Record<ErrorGroupStatus, (what: string) => string>> = {
  open: (what) => `Failed to open ${what} again`,
  resolved: (what) => `Failed to resolve ${what}`,
  ignored: (what) => `Failed to ignore ${what}`,
}

/** Moves errors between statuses; `disabledReason` where the role may not, or what is shown may be old. */
export function useErrorStatus() {
  const refusal = deniedReason(useRole(), 'errors.update')
  const stale = useStaleReason()
  const { mutateAsync, isPending } = useSetErrorStatus()
  /** Those of the errors that were moved; a failure is said in a toast. */
  async function set(groups: readonly ErrorGroup[], status: ErrorGroupStatus): Promise<ErrorGroup[]> {
    const outcomes = await mutateAsync(groups.map(({ id }) => ({ id, status })))
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    const [first] = failed
    if (first) {
      const what =
        groups.length === 1 ? 'the error' : `${failed.length} of ${formatCount(groups.length, 'error')}`
      const { title, detail } = errorText(failures[status](what), first.reason)
      toast('error', title, detail ? { description: detail } : {})
    }
    return groups.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  }
  return { set, isPending, disabledReason: refusal ?? stale }
}
