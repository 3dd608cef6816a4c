import { useEffect } from 'react'
import { useLive } from '../../data/live.ts'
import { useOrganizationHealth } from '../../data/organization-health.ts'
import { faviconState, faviconUrl } from './favicon-svg.ts'

/** Lets the tab's icon show how the organization is, and whether the page follows the server; draws nothing itself. */
export default function Favicon() {
  const { state: connection, lastLiveAt } = useLive()
  const state = faviconState(connection, lastLiveAt !== undefined, useOrganizationHealth())
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!link) return
    const { href } = link
    link.href = faviconUrl(state)
    link.dataset['state'] = state
    return () => {
      link.href = href
      delete link.dataset['state']
    }
  }, [state])
  return null
}
