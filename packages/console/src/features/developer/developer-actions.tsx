import { useOrganizationId } from '../../data/session.ts'
import { api } from '../../lib/api.ts'
import { storage } from '../../lib/storage.ts'
import { Button } from '../../ui/button.tsx'
import { liveSocket } from '../../data/live-socket.ts'
import { createClusterPrompts } from './cluster-prompts.ts'

const clusters = createClusterPrompts(window, api)

export function DeveloperActions() {
  const organizationId = useOrganizationId()
  const connect = () => {
    const token = storage.read('token')
    if (token && organizationId) liveSocket.connect({ token, organizationId })
    // oxlint-disable-next-line no-alert -- specified: the developer's own actions answer in alerts
    else window.alert('Missing token or organization. Please authenticate first.')
  }
  const actions = [
    { label: 'Connect WS', run: connect },
    { label: 'Disconnect', run: () => liveSocket.disconnect() },
    { label: 'Refresh Page', run: () => location.reload() },
    { label: 'Provision', run: () => void clusters.provision() },
    { label: 'Delete', run: () => void clusters.remove() },
    { label: 'Check Status', run: () => void clusters.checkStatus() },
  ]
  return (
    <div className="grid grid-cols-2 gap-2">
      {actions.map(({ label, run }) => (
        <Button key={label} size="small" onClick={run}>
          {label}
        </Button>
      ))}
    </div>
  )
}
