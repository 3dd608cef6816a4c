import { useEffect } from 'react'
import { useDelayed } from './skeleton.tsx'

/** After this time a layer that is still loading shows so. */
const skeletonDelayMs = 400

/**
 * In place of a dialog, panel or menu whose script is still being loaded: Escape cancels the opening, so that it does
 * not appear minutes later over something else.
 */
export function PendingLayer({ onCancel }: { onCancel: () => void }) {
  const isLate = useDelayed(true, skeletonDelayMs)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      onCancel()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onCancel])
  return (
    <output className="pointer-events-none fixed inset-x-0 top-16 z-50 flex justify-center">
      {isLate ? (
        <span className="rounded-popover border border-line bg-overlay px-3 py-1.5 shadow-float">
          Loading... <span className="text-text-2">Esc cancels</span>
        </span>
      ) : null}
    </output>
  )
}
