import { Check, Copy } from 'lucide-react'
import { IconButton } from './icon-button.tsx'
import { copyLabel, useCopy } from './use-copy.ts'

export interface CopyButtonProps {
  /** What is copied, or how to get it when the button is pressed. */
  text: string | (() => string | Promise<string>)
  label?: string
}

/** Copies and shows so for 2 s. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const { outcome, copy } = useCopy()
  const shown = copyLabel(outcome, label)
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
        onClick={() => void copy(text)}
      />
      <output className="sr-only">{outcome === 'idle' ? '' : shown}</output>
    </>
  )
}
