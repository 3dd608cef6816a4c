import { VenetianMask } from 'lucide-react'
import { useState } from 'react'
import { endImpersonation } from '../../data/godmode.ts'
import { useUser } from '../../data/session.ts'
import { storage } from '../../lib/storage.ts'
import { Button } from '../../ui/button.tsx'
import { actorText } from '@bey/contract'

/** Shown on every page during impersonation, with a button to end it. */
export default function ImpersonationBanner() {
  const user = useUser()
  const [isLeaving, setLeaving] = useState(false)
  if (!user?.impersonator) return null
  const leave = async () => {
    setLeaving(true)
    const hasOwn = storage.read('impersonatorToken') !== null
    await endImpersonation()
    location.assign(hasOwn ? '/' : '/login')
  }
  return (
    <section
      aria-label="Impersonation"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-3 py-1.5"
    >
      <VenetianMask size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-56">
        You are impersonating <strong className="font-semibold">{user.name}</strong> ({user.email})
        {user.impersonator.id === null
          ? ', which is audited.'
          : `, audited under ${actorText(user.impersonator)} as well.`}
      </p>
      <Button size="small" busy={isLeaving} onClick={() => void leave()}>
        Exit impersonation
      </Button>
    </section>
  )
}
