import { Suspense, useCallback, useState } from 'react'
import { useSettled } from '../../data/use-settled.ts'
import { UserButton } from './user-button.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { PendingLayer } from '../../ui/pending-layer.tsx'

const UserMenu = lazyPart(() => import('./user-menu.tsx'))
const ImpersonateDialog = lazyPart(() => import('./impersonate-dialog.tsx'))

/** The user's button at once; its menu once the first page is shown, or on click. */
export function UserSection({ isCollapsed }: { isCollapsed: boolean }) {
  const isSettled = useSettled()
  const [isAsked, setAsked] = useState(false)
  const [isImpersonating, setImpersonating] = useState(false)
  const closeImpersonation = useCallback(() => setImpersonating(false), [])
  const cancel = useCallback(() => setAsked(false), [])
  const button = <UserButton isCollapsed={isCollapsed} onClick={() => setAsked(!isAsked)} />
  if (!isSettled && !isAsked) return button
  return (
    <Suspense
      fallback={
        <>
          {button}
          {isAsked ? <PendingLayer onCancel={cancel} /> : null}
        </>
      }
    >
      <UserMenu
        isCollapsed={isCollapsed}
        isInitiallyOpen={isAsked}
        onImpersonate={() => setImpersonating(true)}
      />
      {isImpersonating ? (
        <Suspense fallback={<PendingLayer onCancel={closeImpersonation} />}>
          <ImpersonateDialog onClose={closeImpersonation} />
        </Suspense>
      ) : null}
    </Suspense>
  )
}
