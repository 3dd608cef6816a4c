import { useState } from 'react'
import type { Impact } from '../../data/relations.ts'
import { useRead } from '../../data/use-read.ts'
import { causeOf } from '../../lib/error-text.ts'
import { newlyReached } from './impact-rows.ts'

export interface DeleteImpactState {
  /** Undefined while it is being read. */
  impact: Impact | undefined
  /** Resources that came to need it between opening and confirming. */
  added: number
  /** Why it could not be read. */
  failure: string | undefined
}

/**
 * What the deletion of a resource breaks, read when the dialog opens and once more before the act. `confirm` deletes only
 * where nothing came to need it meanwhile; where it cannot be read, the deletion is not held up.
 */
export function useDeleteImpact(id: string) {
  const query = useRead('relations.impact', { query: { id, act: 'deleted' } })
  const [shown, setShown] = useState<Impact>()
  const [added, setAdded] = useState(0)
  const [isChecking, setChecking] = useState(false)
  const impact = shown ?? query.data
  if (shown === undefined && query.data !== undefined) setShown(query.data)

  async function confirm(act: () => void): Promise<void> {
    setChecking(true)
    const { data } = await query.refetch()
    setChecking(false)
    const more = impact && data ? newlyReached(impact, data) : 0
    if (data) setShown(data)
    setAdded(more)
    if (more === 0) act()
  }

  const failure = impact === undefined && query.error ? causeOf(query.error) : undefined
  return { state: { impact, added, failure } satisfies DeleteImpactState, confirm, isChecking }
}
