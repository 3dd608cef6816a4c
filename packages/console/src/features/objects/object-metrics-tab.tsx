import { bytes, millicores, noNamespace } from '@bey/contract'
import { ObjectMetrics } from './object-metrics.tsx'
import type { ObjectSubject } from './object-tabs.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'

/** What an object uses over time. */
export function ObjectMetricsTab({ cluster, detail }: ObjectSubject) {
  const { metadata, spec } = asKubernetesObject(detail.object)
  const { resource } = detail.resource
  return (
    <div className="px-(--gutter) pt-6 pb-10">
      <ObjectMetrics
        cluster={cluster}
        resource={resource}
        namespace={metadata?.namespace ?? noNamespace}
        name={metadata?.name ?? ''}
        {...(resource === 'pods' && {
          requested: sumOf(spec, 'requests'),
          limits: sumOf(spec, 'limits'),
        })}
      />
    </div>
  )
}

interface Container {
  resources?: Partial<Record<'requests' | 'limits', { cpu?: string; memory?: string }>>
}

/** Of all containers together; nothing where one of them names none. */
function sumOf(
  spec: Record<string, unknown> | undefined,
  what: 'requests' | 'limits',
): { cpuMillicores?: number; memoryBytes?: number } {
  // The kind says what its specification looks like.
  const containers = (spec?.['containers'] ?? []) as readonly Container[]
  const sum = (of: 'cpu' | 'memory', read: (text: string) => number) => {
    const texts = containers.map(({ resources }) => resources?.[what]?.[of])
    return texts.every((text) => text !== undefined)
      ? texts.reduce((total, text) => total + read(text), 0)
      : undefined
  }
  const [cpuMillicores, memoryBytes] = [sum('cpu', millicores), sum('memory', bytes)]
  return {
    ...(cpuMillicores !== undefined && { cpuMillicores }),
    ...(memoryBytes !== undefined && { memoryBytes }),
  }
}
