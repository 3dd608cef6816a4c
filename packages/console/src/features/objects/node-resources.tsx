import type { NodeDetail } from '@bey/contract'
import { nodeAmounts } from '../../entities/kubernetes/panels/node-amounts.ts'
import { formatBytes, formatCpu, formatNumber } from '../../lib/format.ts'
import { LayerLegend, LayerMeter, LayerMeterSkeletons } from '../../ui/layer-meter.tsx'
import { Section } from '../../ui/section.tsx'

/** What is used and requested of what a node can give; what it has none of is left out. */
export function NodeResources({
  detail,
  node,
}: {
  /** Undefined while it is read. */
  detail: NodeDetail | undefined
  /** As the cluster keeps it. */
  node: Record<string, unknown>
}) {
  return (
    <Section title="Resources" aside={<LayerLegend />}>
      {detail ? (
        <div className="flex flex-col gap-4">
          <LayerMeter label="CPU" {...detail.node.cpu} format={formatCpu} />
          <LayerMeter label="Memory" {...detail.node.memory} format={formatBytes} />
          <LayerMeter
            label="Pods"
            used={detail.node.podCount}
            requested={detail.node.podCount}
            allocatable={detail.maxPods}
            format={formatNumber}
          />
          {nodeAmounts(node)
            .filter(({ name }) => !metered.has(name))
            .map(({ name, label, allocatable, capacity, format }) => (
              <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span>{label}</span>
                <span className="text-right text-small text-text-2 tabular-nums">
                  {allocatable === null ? '' : `${format(allocatable)} for pods of `}
                  {format(capacity)}
                </span>
              </div>
            ))}
        </div>
      ) : (
        <LayerMeterSkeletons count={4} />
      )}
    </Section>
  )
}

/** Those with meters of their own. */
const metered: ReadonlySet<string> = new Set(['cpu', 'memory', 'pods'])
