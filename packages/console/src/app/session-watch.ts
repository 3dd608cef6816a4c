import { useEffect } from 'react'
import { session } from '../data/session.ts'

/** Keeps the session in step with other tabs, and checks it again whenever this tab becomes visible. */
export function SessionWatch() {
  useEffect(() => {
    const syncFromStorage = () => session.syncFromStorage()
    const syncWhenVisible = () => {
      if (document.visibilityState !== 'visible') return
      // A suspended tab receives no storage events.
      session.syncFromStorage()
      session.refreshIfOld()
    }
    window.addEventListener('storage', syncFromStorage)
    window.addEventListener('pageshow', syncWhenVisible)
    document.addEventListener('visibilitychange', syncWhenVisible)
    // Events before this module was loaded were missed.
    session.syncFromStorage()
    return () => {
      window.removeEventListener('storage', syncFromStorage)
      window.removeEventListener('pageshow', syncWhenVisible)
      document.removeEventListener('visibilitychange', syncWhenVisible)
    }
  }, [])
  return null
}
