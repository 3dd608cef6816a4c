import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { api } from '../../../lib/api.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { toast } from '../../../ui/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { ForwardedPort, PortsTarget } from './port-lines.ts'
import { forwardCommand, proxyPath } from './port-lines.ts'

export interface PortsPanelProps {
  clusterId: number
  target: PortsTarget
  ports: readonly ForwardedPort[]
  disabledReason: string | undefined
}

/** Ways to the ports of a service or pod: a line for kubectl, and its pages in a tab. */
export function PortsPanel({ clusterId, target, ports, disabledReason }: PortsPanelProps) {
  if (ports.length === 0) {
    return (
      <EmptyState
        title="No ports are declared"
        description="A port that a container listens on can be forwarded all the same."
        command={forwardCommand(target, { name: '', port: 8080, protocol: 'TCP' })}
      />
    )
  }
  return (
    <div className="flex flex-col gap-4 px-(--gutter) py-4">
      <ul className="flex flex-col divide-y divide-line rounded-card border border-line">
        {ports.map((port) => (
          <li key={`${port.port}/${port.protocol}`} className="flex flex-wrap items-center gap-3 px-3 py-2">
            <span className="w-40 font-medium tabular-nums">
              {port.port}/{port.protocol} <span className="font-normal text-text-2">{port.name}</span>
            </span>
            <code className="min-w-0 flex-1 truncate font-mono text-small text-text-2">
              {forwardCommand(target, port)}
            </code>
            <CopyButton text={forwardCommand(target, port)} label="Copy command" />
            {port.protocol === 'TCP' ? (
              <OpenInTab
                clusterId={clusterId}
                path={proxyPath(target, port)}
                disabledReason={disabledReason}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <p className="max-w-prose text-small text-text-2">
        The command uses the kubeconfig that the tab Access of the cluster gives. A tab shows what the port
        answers at its root, for 15 minutes: a text, or a page without its images, styles and links. A page of
        a workload is given an origin of its own, so that it reaches nothing of Bey, and to such an origin
        browsers send no cookie. For a whole application, forward the port.
      </p>
    </div>
  )
}

function OpenInTab({
  clusterId,
  path,
  disabledReason,
}: {
  clusterId: number
  path: string
  disabledReason: string | undefined
}) {
  const open = useMutation({
    mutationFn: () => api.call('kubernetes.serviceSession', { params: { id: clusterId }, body: { path } }),
    // Without an opener: what is opened belongs to a workload.
    onSuccess: (session) => void window.open(session.path, '_blank', 'noopener,noreferrer'),
    onError: (error) => toast('error', 'Failed to open the service', { description: causeOf(error) }),
  })
  return (
    <Button
      size="small"
      icon={<ExternalLink size={14} aria-hidden />}
      busy={open.isPending}
      disabledReason={disabledReason}
      onClick={() => open.mutate()}
    >
      Open in a tab
    </Button>
  )
}
