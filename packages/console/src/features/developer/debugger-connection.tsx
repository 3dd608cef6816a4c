import { useBackendConnection } from '../../data/health.ts'
import { useOrganizationId } from '../../data/session.ts'
import { storage } from '../../lib/storage.ts'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { useConnectionWord } from '../../data/use-live-state.ts'
import { useSubscriptions } from './use-subscriptions.ts'

/** Everything that a call to the engine needs, and whether it is there. */
export function DebuggerConnection() {
  const backend = useBackendConnection()
  const organizationId = useOrganizationId()
  const word = useConnectionWord()
  const subscriptions = useSubscriptions()
  const hasToken = storage.read('token') !== null
  return (
    <Section title="Connection Status">
      <Facts
        layout="columns"
        facts={[
          { label: 'Token', value: hasToken ? 'present' : <Missing /> },
          { label: 'Organization id', value: organizationId || <Missing /> },
          { label: 'WebSocket', value: <Current status={word} /> },
          { label: 'Subscriptions', value: subscriptions.length },
          { label: 'Authorization header', value: hasToken ? 'sent' : <Missing /> },
          { label: 'x-organization-id header', value: organizationId ? 'sent' : <Missing /> },
          { label: 'Backend', value: backend === 'checking' ? backend : <Current status={backend} /> },
        ]}
      />
    </Section>
  )
}

function Missing() {
  return <span className="text-danger">missing</span>
}

/** A status that is true now, whatever the age of the rest. */
function Current({ status }: { status: string }) {
  return (
    <span data-current="">
      <Status status={status} />
    </span>
  )
}
