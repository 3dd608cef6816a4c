import { readOnlyHeader } from '@bey/contract/base/read-only-rules'
import { useSyncExternalStore } from 'react'

let isOn = false
const listeners = new Set<() => void>()

/** Every reply of the server says whether Bey is read-only. */
export function heedReadOnly(response: Response): void {
  const next = response.headers.get(readOnlyHeader) !== null
  if (next === isOn) return
  isOn = next
  for (const listener of listeners) listener()
}

/** Whether Bey is read-only, as the last reply said. */
export function useReadOnly(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOn,
  )
}
