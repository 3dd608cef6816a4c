import { Suspense, useEffect, useRef, useState } from 'react'
import { useOngoingRuns, useUnreadCount } from '../../data/notifications.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Popover } from '../../ui/popover.tsx'
import { BellButton } from './bell-button.tsx'
import { recordToasts } from './record-toasts.ts'
import { useArrivals } from './use-arrivals.ts'

const Panel = lazyPart(() => import('./panel.tsx'))

/** The bell with its figures, and its panel: beside it, or as a sheet on a phone. */
export default function NotificationCentre({
  isMobile,
  isInitiallyOpen,
}: {
  isMobile: boolean
  isInitiallyOpen: boolean
}) {
  useEffect(recordToasts, [])
  const [isOpen, setOpen] = useState(isInitiallyOpen)
  const opener = useRef<HTMLElement>(null)
  const bell = useRef<HTMLButtonElement>(null)
  const unreadCount = useUnreadCount()
  const ongoingCount = useOngoingRuns().data?.total ?? 0
  const arrival = useArrivals(unreadCount)

  // A command opens it from wherever the focus is, and there it goes back to.
  const rememberOpener = () => {
    const { activeElement } = document
    opener.current =
      activeElement instanceof HTMLElement && activeElement !== bell.current ? activeElement : null
  }
  const returnFocus = (event: Event) => {
    if (!opener.current?.isConnected || opener.current === document.body) return
    event.preventDefault()
    opener.current.focus()
  }
  const panel = (
    <Suspense fallback={<p className="p-4 text-text-2">Loading...</p>}>
      <Panel unreadCount={unreadCount} onLeave={() => setOpen(false)} />
    </Suspense>
  )
  const button = <BellButton ref={bell} unreadCount={unreadCount} ongoingCount={ongoingCount} />
  return (
    <>
      {isMobile ? (
        <>
          <BellButton
            ref={bell}
            unreadCount={unreadCount}
            ongoingCount={ongoingCount}
            onClick={() => setOpen(true)}
          />
          <Drawer open={isOpen} onOpenChange={setOpen} title="Notifications" side="bottom">
            <div className="-m-4">{panel}</div>
          </Drawer>
        </>
      ) : (
        <Popover
          label="Notifications"
          align="end"
          open={isOpen}
          onOpenChange={(open) => {
            if (open) rememberOpener()
            setOpen(open)
          }}
          onCloseAutoFocus={returnFocus}
          trigger={button}
        >
          <div className="-m-3 w-[26rem] max-w-[calc(100vw-1rem)]">{panel}</div>
        </Popover>
      )}
      <output className="sr-only">{arrival}</output>
    </>
  )
}
