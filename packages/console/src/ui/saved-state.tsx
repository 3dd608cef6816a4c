import { Check, LoaderCircle, TriangleAlert } from 'lucide-react'

export interface SavedStateProps {
  phase: 'idle' | 'saving' | 'saved' | 'failed'
  /** Why it was not saved. */
  reason?: string | undefined
  onRetry?: () => void
}

/** Shows inconspicuously whether a setting is saved: "Saving…", "Saved", "Not saved: …" with Retry. */
export function SavedState({ phase, reason, onRetry }: SavedStateProps) {
  return (
    <output className="inline-flex min-h-6 items-center gap-1.5 text-small text-text-2">
      {phase === 'saving' ? (
        <>
          <LoaderCircle size={13} aria-hidden className="animate-spin text-text-3" /> Saving…
        </>
      ) : null}
      {phase === 'saved' ? (
        <>
          <Check size={13} aria-hidden className="text-text-3" /> Saved
        </>
      ) : null}
      {phase === 'failed' ? (
        <>
          <TriangleAlert size={13} aria-hidden className="shrink-0 text-danger" />
          <span className="min-w-0 break-words">Not saved: {reason}</span>
          {onRetry ? (
            <button
              type="button"
              onClick={onRetry}
              className="min-h-6 font-medium text-accent-text underline-offset-2 hover:underline"
            >
              Retry
            </button>
          ) : null}
        </>
      ) : null}
    </output>
  )
}
