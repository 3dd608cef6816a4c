import { createHash } from 'node:crypto'

type Free = Record<string, unknown>
type ManagedField = { manager?: string; time?: string; subresource?: string }

/** What is kept of an object: what somebody wrote, without what the cluster reports. */
export type KeptObject = {
  object: Free
  hash: string
  bytes: number
  /** The manager that wrote something other than the status last, and when; null where the object does not say. */
  manager: string | null
  writtenAt: string | null
}

/** Larger objects are noted, but not kept. */
export const maxKeptBytes = 128 * 1024

const keptMetadata = ['name', 'namespace', 'labels', 'annotations', 'ownerReferences', 'finalizers'] as const
/** Written by controllers with every rollout or election, and repeated or followed by what is kept anyway. */
const volatileAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'control-plane.alpha.kubernetes.io/leader',
  'autoscaling.alpha.kubernetes.io/conditions',
  'autoscaling.alpha.kubernetes.io/current-metrics',
])

export function keptObject(whole: Free): KeptObject {
  const { status: _status, metadata: given, ...rest } = whole
  const from = isFree(given) ? given : {}
  const metadata: Free = {}
  for (const key of keptMetadata) if (from[key] !== undefined) metadata[key] = from[key]
  if (isFree(metadata['annotations'])) {
    const kept = Object.entries(metadata['annotations']).filter(([key]) => !volatileAnnotations.has(key))
    if (kept.length > 0) metadata['annotations'] = Object.fromEntries(kept)
    else delete metadata['annotations']
  }
  const object = { ...rest, metadata }
  const text = JSON.stringify(sorted(object))
  const last = lastWriter(from['managedFields'])
  return {
    object,
    hash: createHash('sha256').update(text).digest('base64url').slice(0, 22),
    bytes: Buffer.byteLength(text),
    manager: last?.manager ?? null,
    writtenAt: last?.time ?? null,
  }
}

function lastWriter(managedFields: unknown): ManagedField | undefined {
  if (!Array.isArray(managedFields)) return undefined
  return (managedFields as ManagedField[])
    .filter(({ subresource, time }) => subresource !== 'status' && time !== undefined)
    .toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1))[0]
}

/** Keys in one order, so that equal objects have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isFree(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  )
}

function isFree(value: unknown): value is Free {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
