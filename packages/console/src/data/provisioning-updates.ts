import type { EventFrame } from '@bey/contract'

type ProvisioningEvent = EventFrame<'CLUSTER_PROVISIONING_UPDATE'>

/**
 * The provisioning updates of an event, in the contract's shape: an event may also carry several as `activeClusters`,
 * name the cluster `cluster_id`, and leave out the workflow.
 */
export function provisioningEvents(event: ProvisioningEvent): ProvisioningEvent[] {
  const data: object = event.data
  const list: unknown = 'activeClusters' in data ? data.activeClusters : [data]
  if (!Array.isArray(list)) return []
  return list.flatMap((each: unknown) => {
    const update = readUpdate(each)
    return update ? [{ ...event, data: update }] : []
  })
}

function readUpdate(value: unknown): ProvisioningEvent['data'] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const read = (key: string): unknown => Reflect.get(value, key)
  const clusterId = Number(read('clusterId') ?? read('cluster_id'))
  const status = read('status')
  if (!Number.isInteger(clusterId) || typeof status !== 'string') return undefined
  const text = (key: string) => {
    const found = read(key)
    return typeof found === 'string' ? found : undefined
  }
  const progress = read('progress')
  return {
    clusterId,
    status,
    error: text('error') ?? null,
    workflowId: text('workflowId') ?? '',
    runId: text('runId') ?? '',
    stepName: text('stepName') ?? null,
    progress: typeof progress === 'number' ? progress : 0,
  }
}
