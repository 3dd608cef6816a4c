import { useEffect } from 'react'
import { session } from '../data/session.ts'
import { attendance } from '../lib/attendance.ts'

/**
 * Keeps the session in step with other tabs, checks it again whenever this tab becomes visible, and keeps it in use
 * while a person is active.
 */
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
    const stopWatching = attendance.watch(window, () => {
      if (session.get().phase === 'signed-in') void session.refresh()
    })
    // Events before this module was loaded were missed.
    session.syncFromStorage()
    return () => {
      stopWatching()
      window.removeEventListener('storage', syncFromStorage)
      window.removeEventListener('pageshow', syncWhenVisible)
      document.removeEventListener('visibilitychange', syncWhenVisible)
    }
  }, [])
  return null
}
