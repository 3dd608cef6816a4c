import { useEffect, useState } from 'react'

const confirmationMs = 2000

/** Copies a text to the clipboard; the outcome is shown for 2 s, `refused` where the browser or the user forbade it. */
export function useCopy() {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), confirmationMs)
    return () => clearTimeout(timer)
  }, [outcome])
  async function copy(text: string | (() => string | Promise<string>)): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setOutcome('copied')
    } catch {
      // The button says so.
      setOutcome('refused')
    }
  }
  return { outcome, copy }
}

/** What a button that copies says: its own label, or what became of the last press. */
export function copyLabel(outcome: ReturnType<typeof useCopy>['outcome'], label: string): string {
  return { idle: label, copied: 'Copied', refused: 'The browser does not allow copying here' }[outcome]
}
