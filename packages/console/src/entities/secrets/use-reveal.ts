import { secretLimits } from '@bey/contract'
import { useEffect, useState } from 'react'
import { revealSecret } from '../../data/secrets.ts'

export type RevealedValue = {
  value: string | Record<string, string>
  encoding: 'utf8' | 'base64'
  version: number
}

/** Reads a value with a reason and holds it for 30 s, in this component alone. */
export function useReveal(id: string) {
  const [shown, setShown] = useState<RevealedValue & { untilMs: number }>()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()

  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(undefined), shown.untilMs - Date.now())
    return () => clearTimeout(timer)
  }, [shown])

  async function read(reason: string, version?: number): Promise<RevealedValue | undefined> {
    setPending(true)
    setError(undefined)
    try {
      return await revealSecret(id, reason, version)
    } catch (failure) {
      setError(failure)
      return undefined
    } finally {
      setPending(false)
    }
  }

  return {
    shown,
    isPending,
    error,
    hide: () => setShown(undefined),
    async reveal(reason: string, version?: number): Promise<void> {
      const value = await read(reason, version)
      if (value) setShown({ ...value, untilMs: Date.now() + secretLimits.shownMs })
    },
    /** Puts the value into the clipboard without showing it; answers whether it got there. */
    async copy(reason: string, version?: number): Promise<boolean> {
      const value = await read(reason, version)
      if (!value) return false
      try {
        await copyForAWhile(textOf(value))
        return true
      } catch (failure) {
        setError(
          failure instanceof Error
            ? new Error('The browser does not allow copying here.', { cause: failure })
            : failure,
        )
        return false
      }
    },
  }
}

/** The value as one text: fields as JSON. */
function textOf({ value }: RevealedValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Writes the clipboard, and empties it after 60 s unless something else was copied meanwhile. */
export async function copyForAWhile(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  setTimeout(() => void clearIfStill(text), secretLimits.copiedMs)
}

async function clearIfStill(text: string): Promise<void> {
  try {
    // Reading takes a right that the browser may refuse; then nothing is known, and nothing is overwritten.
    if ((await navigator.clipboard.readText()) === text) await navigator.clipboard.writeText('')
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
