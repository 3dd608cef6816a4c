/** What is read of objects; a cluster may serve anything. */
export type KubeObject = Record<string, unknown> & {
  apiVersion?: string
  kind?: string
  metadata?: {
    name?: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    generation?: number
    creationTimestamp?: string
    deletionTimestamp?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    managedFields?: unknown
    ownerReferences?: { kind?: string; name?: string; uid?: string; controller?: boolean }[]
  }
  spec?: Record<string, unknown>
  status?: Record<string, unknown>
}

const maskedValue = '•••'
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** An object as a step gives it back: without what only the API server needs, and without values of Secrets. */
export function shownObject(object: KubeObject): KubeObject {
  const { managedFields: _managed, annotations, ...metadata } = object.metadata ?? {}
  const { [lastApplied]: _applied, ...kept } = annotations ?? {}
  const shown: KubeObject = {
    ...object,
    metadata: { ...metadata, ...(annotations !== undefined && { annotations: kept }) },
  }
  if (object.kind !== 'Secret') return shown
  return { ...shown, ...maskedField(object, 'data'), ...maskedField(object, 'stringData') }
}

function maskedField(object: KubeObject, field: 'data' | 'stringData'): Record<string, unknown> {
  const values = object[field]
  if (typeof values !== 'object' || values === null) return {}
  return { [field]: Object.fromEntries(Object.keys(values).map((key) => [key, maskedValue])) }
}

/** For lines of the log: `Deployment shop/web`. */
export function labelOf({ kind = 'Object', metadata }: KubeObject): string {
  const { namespace, name = '' } = metadata ?? {}
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}
