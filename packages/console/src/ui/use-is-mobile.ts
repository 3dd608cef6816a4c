import { useSyncExternalStore } from 'react'

const query = '(max-width: 767px)'

/** True below 768 px. */
export function useIsMobile(): boolean {
  return useSyncExternalStore(subscribe, isMobile)
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

function isMobile(): boolean {
  return matchMedia(query).matches
}
