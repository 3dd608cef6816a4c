import { useEffect, useState } from 'react'

const restMs = 400

/** A draft once nothing was changed for a moment; undefined as long as there is none. */
export function useRested<T>(draft: T | undefined): T | undefined {
  const text = draft && JSON.stringify(draft)
  const [rested, setRested] = useState<string | undefined>(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  // What was written above.
  return rested === undefined ? undefined : (JSON.parse(rested) as T)
}
