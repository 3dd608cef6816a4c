import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button.tsx'

const confirmationMs = 2000

export interface CopyButtonProps {
  /** What is copied, or how to get it when the button is pressed. */
  text: string | (() => string | Promise<string>)
  label?: string
}

/** Copies and shows so for 2 s. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), confirmationMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setOutcome('copied')
    } catch {
      // The browser or the user forbade the clipboard; the label says so.
      setOutcome('refused')
    }
  }
  const shown =
    outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Copying is not allowed here' : label
  return (
    <>
      <IconButton
        label={shown}
        size="small"
        icon={
          outcome === 'copied' ? (
            <Check size={14} aria-hidden className="text-ok" />
          ) : (
            <Copy size={14} aria-hidden />
          )
        }
        onClick={() => void copy()}
      />
      <output className="sr-only">{outcome === 'idle' ? '' : shown}</output>
    </>
  )
}
