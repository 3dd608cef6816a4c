import { useState } from 'react'

/** Whether work that was passed to `busy` is under way. */
export function useBusy() {
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    async busy<T>(act: () => Promise<T>): Promise<T> {
      setBusy(true)
      try {
        return await act()
      } finally {
        setBusy(false)
      }
    },
  }
}
