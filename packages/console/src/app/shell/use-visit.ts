import { visitRules } from '@bey/contract'
import { useEffect } from 'react'
import { useOrganizationId } from '../../data/session.ts'
import { recordVisit } from '../../data/analytics.ts'

/** After the page has its first content. */
const firstAfterMs = 5_000
/** Whoever changes between tabs is not recorded with every change. */
const leastMs = 60_000

/** Tells the server that somebody is here, for as long as the page is visible: the dashboard tells what happened since. */
export function useVisit(): void {
  const organizationId = useOrganizationId()
  useEffect(() => {
    if (organizationId === undefined) return
    let lastMs = -Infinity
    const record = () => {
      const nowMs = performance.now()
      if (document.visibilityState !== 'visible' || nowMs - lastMs < leastMs) return
      lastMs = nowMs
      recordVisit()
    }
    const first = setTimeout(record, firstAfterMs)
    const timer = setInterval(record, visitRules.recordEveryMs)
    document.addEventListener('visibilitychange', record)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', record)
    }
  }, [organizationId])
}
