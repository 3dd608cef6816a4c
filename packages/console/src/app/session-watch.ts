import { useEffect } from 'react'
import { session } from '../data/session.ts'

/** Follows what other tabs do with the session, and looks again whenever this tab comes back to the front. */
export function SessionWatch() {
  useEffect(() => {
    const heed = () => session.heed()
    const comeBack = () => {
      if (document.visibilityState !== 'visible') return
      // A tab that the browser had put to sleep was told nothing.
      session.heed()
      session.refreshIfOld()
    }
    window.addEventListener('storage', heed)
    window.addEventListener('pageshow', comeBack)
    document.addEventListener('visibilitychange', comeBack)
    // Whatever happened before this was loaded.
    session.heed()
    return () => {
      window.removeEventListener('storage', heed)
      window.removeEventListener('pageshow', comeBack)
      document.removeEventListener('visibilitychange', comeBack)
    }
  }, [])
  return null
}
