import { StatusError } from '../status-error.ts'

export type View = 'object' | 'table' | 'metadata' | 'metadata-list'

const asPattern = /(?:^|;)\s*as=([A-Za-z]+)/

/** Whether a client would rather have YAML than JSON. */
export function wantsYaml(accept: string | undefined): boolean {
  const known = /^(application\/(json|yaml|\*|vnd\.kubernetes\.protobuf)|\*\/\*)$/
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '')
  return types.find((type) => known.test(type)) === 'application/yaml'
}

/**
 * Which of its forms a client wants. Whatever JSON can answer is answered in JSON; 406 only when it will not do.
 */
export function wantedView(accept: string | undefined): View {
  const header = accept?.trim() || '*/*'
  for (const part of header.split(',')) {
    const type = part.split(';')[0]?.trim().toLowerCase()
    const as = asPattern.exec(part)?.[1]
    if (type === 'application/json' && as === 'Table') return 'table'
    if (type === 'application/json' && as === 'PartialObjectMetadata') return 'metadata'
    if (type === 'application/json' && as === 'PartialObjectMetadataList') return 'metadata-list'
    if (type === 'application/json' && as === undefined) return 'object'
    if (type === '*/*' || type === 'application/*' || type === 'application/yaml') return 'object'
  }
  const isProtobuf = header.includes('application/vnd.kubernetes.protobuf')
  // Go clients that list protobuf alone read JSON as well; browsers and curl never do.
  if (isProtobuf && !header.includes('as=')) return 'object'
  const accepted = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
  throw new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted}`)
}
