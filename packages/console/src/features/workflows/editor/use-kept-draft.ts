import { useEffect, useState } from 'react'
import { forgetDraft, keepDraft } from './editor-drafts.ts'

const waitMs = 300

/** Keeps a text over a reload while it differs from the saved one, and forgets it when it does not. */
export function useKeptDraft(
  key: string,
  text: string,
  baseVersion: number | undefined,
  isDirty: boolean,
): { keptAt: number | undefined; isTooLarge: boolean } {
  const [state, setState] = useState<{ keptAt: number | undefined; isTooLarge: boolean }>({
    keptAt: undefined,
    isTooLarge: false,
  })
  useEffect(() => {
    const keep = () => {
      if (!isDirty) {
        forgetDraft(key)
        return setState({ keptAt: undefined, isTooLarge: false })
      }
      const keptAt = Date.now()
      const isKept = keepDraft(key, { text, baseVersion, keptAt })
      return setState({ keptAt: isKept ? keptAt : undefined, isTooLarge: !isKept })
    }
    const timer = setTimeout(keep, waitMs)
    // Whoever reloads at once loses nothing either.
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [key, text, baseVersion, isDirty])
  return state
}
