import { sendObject } from '../api/list.ts'
import type { ApiRequest } from '../api/request.ts'
import { asObject } from '../api/write-options.ts'
import { changeObject, patchObject, readOwnBody } from '../api/write.ts'
import { mediaType, readBody } from '../http/body.ts'
import { clone, equal, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '../json.ts'
import { checkContainer } from '../registry/strategies/container-validation.ts'
import { defaultContainer } from '../registry/strategies/pod-defaults.ts'
import { field, invalid, type Cause } from '../status-error.ts'
import type { Container } from '../types.ts'

function named(list: Json[], item: Json): Json | undefined {
  return list.find((one) => textAt(one, 'name') === textAt(item, 'name'))
}

/** The pod with the ephemeral containers of `wanted`; such a container can be added, and then never changed. */
function withEphemeral(call: ApiRequest, current: JsonObject, wanted: JsonObject): JsonObject {
  const path = 'spec.ephemeralContainers'
  const old = listAt(current, 'spec', 'ephemeralContainers')
  const next = clone(listAt(wanted, 'spec', 'ephemeralContainers'))
  const others = [...listAt(current, 'spec', 'containers'), ...listAt(current, 'spec', 'initContainers')]
  const causes: Cause[] = []
  // Decoded by the model of pods.
  const containers = next as unknown as Container[]
  for (const [i, container] of containers.entries()) {
    defaultContainer(container)
    const item = next[i] ?? null
    const before = named(old, item)
    if (before && !equal(before, item)) {
      const text = 'Existing ephemeral containers may not be changed'
      causes.push(field.forbidden(`${path}[${i}]`, text))
    }
    if (named(others, item) || named(next.slice(0, i), item))
      causes.push(field.duplicate(`${path}[${i}].name`, container.name))
    for (const key of [
      'ports',
      'livenessProbe',
      'readinessProbe',
      'startupProbe',
      'lifecycle',
      'resources',
    ] as const) {
      const value = container[key]
      if (value !== undefined && Object.keys(value).length > 0) {
        const text = 'cannot be set for an Ephemeral Container'
        causes.push(field.forbidden(`${path}[${i}].${key}`, text))
      }
    }
    const volumes = new Set(listAt(current, 'spec', 'volumes').map((one) => textAt(one, 'name') ?? ''))
    causes.push(...checkContainer(container, `${path}[${i}]`, volumes))
  }
  if (old.some((one) => !named(next, one))) {
    causes.push(field.forbidden(path, 'Existing ephemeral containers may not be removed'))
  }
  if (causes.length > 0) throw invalid(call.kind, call.name, causes)
  return { ...current, spec: { ...objectAt(current, 'spec'), ephemeralContainers: next } }
}

/** The pod with the containers' resources of `wanted`. */
function withResources(_call: ApiRequest, current: JsonObject, wanted: JsonObject): JsonObject {
  const next = listAt(wanted, 'spec', 'containers')
  const containers = listAt(current, 'spec', 'containers').map((one) => {
    const resources = objectAt(named(next, one), 'resources')
    return resources && isObject(one) ? { ...one, resources: clone(resources) } : one
  })
  return { ...current, spec: { ...objectAt(current, 'spec'), containers } }
}

const parts: Record<string, typeof withEphemeral> = {
  ephemeralcontainers: withEphemeral,
  resize: withResources,
}

/** Serves the subresources through which a part of a pod's spec may change that a plain update may not touch. */
export async function handlePodPart(call: ApiRequest, verb: string): Promise<void> {
  const { cluster, kind, namespace, name, subresource = '', request } = call
  const take = parts[subresource]
  if (verb === 'get' || !take) return sendObject(call, cluster.resources.get(kind, namespace, name))
  const type = mediaType(request)
  let wanted: (current: JsonObject) => JsonObject
  if (verb === 'patch') {
    const bytes = await readBody(request)
    wanted = (current) => patchObject(call, current, type, bytes)
  } else {
    const body = await readOwnBody(call)
    wanted = () => body
  }
  sendObject(
    call,
    await changeObject(call, (current) => {
      const next = wanted(current)
      const version = textAt(next, 'metadata', 'resourceVersion')
      const taken = take(call, current, next)
      const metadata = { ...asObject(current).metadata, ...(version ? { resourceVersion: version } : {}) }
      return { ...taken, metadata }
    }),
  )
}
