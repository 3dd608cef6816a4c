import { useGodmode } from '../../data/godmode.ts'
import { Button } from '../../ui/button.tsx'

/** Impersonation for development: there when the server reports it enabled, else refused with the reason. */
export function GodmodeBlock({ isConnected }: { isConnected: boolean }) {
  const godmode = useGodmode(isConnected)
  const reason =
    godmode === undefined
      ? 'Waiting for the server to say whether it is enabled.'
      : godmode.enabled
        ? 'Impersonation is enabled on this server, but this version of the console cannot use it yet.'
        : 'Only on a development server that was started with BEY_GODMODE=1.'
  return (
    <div className="mt-8 flex items-center justify-between gap-3 border-t border-line pt-4 text-small text-text-3">
      <span>Development impersonation</span>
      <Button size="small" disabledReason={reason}>
        Impersonate
      </Button>
    </div>
  )
}
