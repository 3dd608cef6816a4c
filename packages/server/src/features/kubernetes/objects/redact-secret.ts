type Free = Record<string, unknown>

/** Repeats the whole object, values included. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** A Secret with its keys and without its values, wherever it repeats them. */
export function redactSecret(secret: Free): Free {
  const { data, stringData: _stringData, ...rest } = secret
  const metadata = isFree(secret['metadata']) ? { ...secret['metadata'] } : {}
  if (isFree(metadata['annotations'])) {
    const { [lastApplied]: _repeated, ...annotations } = metadata['annotations']
    metadata['annotations'] = annotations
  }
  return { ...rest, metadata, ...(isFree(data) && { data: emptied(data) }) }
}

function emptied(data: Free): Free {
  return Object.fromEntries(Object.keys(data).map((key) => [key, null]))
}

function isFree(value: unknown): value is Free {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
