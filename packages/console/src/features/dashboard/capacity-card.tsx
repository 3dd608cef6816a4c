import type { Dashboard, Outlook } from '@bey/contract'
import { dashboardClusters } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { formatBytes, formatCount, formatCpu } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LayerLegend, LayerMeter, LayerMeterSkeletons } from '../../ui/layer-meter.tsx'
import { Link } from '../../ui/link.tsx'
import { NodeMap } from '../../ui/node-map.tsx'
import { Section } from '../../ui/section.tsx'

type Row = Dashboard['clusterRows'][number]

/** What is requested is looked at over 30 days: an hour changes nothing. */
const refreshMs = 600_000

/** Each cluster's nodes with their pods, what is used and requested of them, and when they will be full. */
export function CapacityCard({ figures }: { figures: Dashboard | undefined }) {
  const { data } = useRead('analytics.outlook', {}, { isEnabled: figures !== undefined, refreshMs })
  if (!figures) {
    return (
      <Section title="Capacity">
        <LayerMeterSkeletons count={3} />
      </Section>
    )
  }
  const { clusterRows, nodes, pods } = figures
  const rows = clusterRows.slice(0, dashboardClusters)
  const scope = `${formatCount(nodes.total, 'node')}, ${formatCount(pods.total, 'pod')}`
  return (
    <Section title="Capacity" aside={<LayerLegend />}>
      <p className="-mt-1 mb-2 text-small text-text-2">
        {[scope, soonestText(data)].filter(Boolean).join('. ')}
      </p>
      {rows.length === 0 ? (
        <div className="border-y border-line">
          <EmptyState
            title="No cluster is running"
            description="Figures appear here as soon as a cluster runs and answers."
          />
        </div>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {rows.map((row) => (
            <li key={row.id}>
              <ClusterCapacity row={row} outlook={data} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function ClusterCapacity({ row, outlook }: { row: Row; outlook: Outlook | undefined }) {
  const { id, title, nodes, pods, capacity, nodeMap } = row
  const forecast = (resource: 'CPU' | 'memory') =>
    outlook?.filling.find((each) => each.clusterId === id && each.resource === resource)?.text
  return (
    <Link
      href={`/kubernetes/clusters/${id}`}
      className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-x-6 gap-y-2 px-1 py-2 -outline-offset-2 hover:bg-hover md:grid-cols-[8.5rem_minmax(0,1fr)_minmax(0,1fr)]"
    >
      <span className="truncate font-medium" data-tooltip={title}>
        {title}
      </span>
      {/* Elsewhere the map above the cards shows them. */}
      <span className="md:hidden">
        <NodeMap
          nodes={nodeMap}
          label={`${title}: ${formatCount(nodes.total, 'node')} with ${formatCount(pods.total, 'pod')}`}
        />
      </span>
      <span className="max-md:col-span-2" data-tooltip={forecast('CPU')}>
        <LayerMeter label="CPU" {...capacity.cpuMillicores} format={formatCpu} />
      </span>
      <span className="max-md:col-span-2" data-tooltip={forecast('memory')}>
        <LayerMeter label="Memory" {...capacity.memoryBytes} format={formatBytes} />
      </span>
    </Link>
  )
}

/** "CPU of prod-eu is full in 7 months at this rate", of what is full first. */
function soonestText(outlook: Outlook | undefined): string {
  const first = outlook?.filling[0]
  if (!first) return ''
  const { resource, name, text, fullAt } = first
  if (fullAt !== null || text === 'full')
    return `${resource === 'CPU' ? 'CPU' : 'Memory'} of ${name} is ${text}`
  return text.startsWith('no forecast') ? `There is ${text}` : 'No cluster is full within a year at this rate'
}
