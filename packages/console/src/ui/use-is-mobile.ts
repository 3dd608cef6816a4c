import { useSyncExternalStore } from 'react'

const query = '(max-width: 767px)'

/** True below 768 px. */
export function useIsMobile(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
