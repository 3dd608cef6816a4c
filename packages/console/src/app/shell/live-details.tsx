import { Suspense, useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { lazyPart } from '../../lib/lazy-part.ts'
import { PendingLayer } from '../../ui/pending-layer.tsx'

const LiveStatusDialog = lazyPart(() => import('../../features/live-status/status-dialog.tsx'))

/** The word about freshness as a button, and behind it everything about the connection. */
export default function LiveDetails({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        data-tooltip="WebSocket connection status"
        data-tooltip-side="bottom"
        className="flex h-7 min-w-0 items-center overflow-hidden rounded-control px-1 sm:px-1.5 hover:bg-hover touch:h-9"
        onClick={() => setOpen(true)}
      >
        <span className="sr-only">Connection status: </span>
        {children}
      </button>
      {isOpen ? (
        <Suspense fallback={<PendingLayer onCancel={close} />}>
          <LiveStatusDialog onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}
