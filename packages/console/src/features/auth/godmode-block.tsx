import { useGodmode } from '../../data/godmode.ts'
import { Button } from '../../ui/button.tsx'
import { ImpersonateForm } from './impersonate-form.tsx'

/** Impersonation for development: there when the server reports it enabled, else refused with the reason. */
export function GodmodeBlock({ isConnected }: { isConnected: boolean }) {
  const godmode = useGodmode(isConnected)
  if (godmode?.enabled) {
    return (
      <section aria-label="Development impersonation" className="mt-8 border-t border-line pt-4">
        <h2 className="font-semibold">Development impersonation</h2>
        <p className="mt-1 mb-3 text-small text-text-2">{godmode.warning}</p>
        <ImpersonateForm onEntered={() => location.reload()} />
      </section>
    )
  }
  const reason = godmode?.warning ?? 'Checking whether the server has it enabled.'
  return (
    <div className="mt-8 flex items-center justify-between gap-3 border-t border-line pt-4 text-small text-text-3">
      <span>
        Development impersonation{' '}
        <output>{godmode ? '· not enabled' : isConnected ? '· checking' : ''}</output>
      </span>
      <Button size="small" disabledReason={reason}>
        Impersonate
      </Button>
    </div>
  )
}
