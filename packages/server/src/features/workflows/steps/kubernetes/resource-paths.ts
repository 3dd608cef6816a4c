import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { type ClusterSession, expectStatus } from './cluster-session.ts'
import type { KubeObject } from './kube-object.ts'

type Resource = { name: string; kind: string; namespaced: boolean }

/** Where the API serves objects of a kind. */
export type ResourcePaths = {
  isNamespaced: boolean
  /** Of all objects, in one namespace or everywhere. */
  list(namespace: string | undefined): string
  object(namespace: string | undefined, name: string): string
}

export type FindPaths = (apiVersion: string, kind: string) => Promise<ResourcePaths>

/** Asks a cluster once for each API version what it serves. Throws StepFailure for a kind that it does not. */
export function createFindPaths(session: Pick<ClusterSession, 'call'>): FindPaths {
  const known = new Map<string, Promise<Resource[]>>()

  async function resourcesOf(apiVersion: string): Promise<Resource[]> {
    const reply = await session.call('GET', root(apiVersion))
    if (reply.status === 404) throw new StepFailure(`The cluster serves no API "${apiVersion}".`)
    expectStatus(reply, [200], `The API "${apiVersion}" could not be read`)
    return (reply.body['resources'] ?? []) as Resource[]
  }

  return async (apiVersion, kind) => {
    if (!/^[a-z0-9.-]+(\/[a-z0-9]+)?$/.test(apiVersion)) {
      throw new StepFailure(`"${apiVersion}" is not an API version, such as v1 or apps/v1.`)
    }
    const asked = known.get(apiVersion) ?? resourcesOf(apiVersion)
    known.set(apiVersion, asked)
    const resource = (await asked).find((each) => each.kind === kind && !each.name.includes('/'))
    if (resource === undefined) throw new StepFailure(`The cluster serves no ${kind} in ${apiVersion}.`)
    return pathsOf(apiVersion, resource)
  }
}

function pathsOf(apiVersion: string, { name: plural, namespaced, kind }: Resource): ResourcePaths {
  const list = (namespace: string | undefined) =>
    namespaced && namespace !== undefined
      ? `${root(apiVersion)}/namespaces/${encodeURIComponent(namespace)}/${plural}`
      : `${root(apiVersion)}/${plural}`
  return {
    isNamespaced: namespaced,
    list,
    object(namespace, name) {
      if (namespaced && namespace === undefined) throw new StepFailure(`${kind} "${name}" needs a namespace.`)
      return `${list(namespace)}/${encodeURIComponent(name)}`
    },
  }
}

function root(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}

/** API version and kind of an object, checked. */
export function typeOfObject(object: KubeObject, position: number): { apiVersion: string; kind: string } {
  const { apiVersion, kind } = object
  if (typeof apiVersion === 'string' && typeof kind === 'string') return { apiVersion, kind }
  throw new StepFailure(`Object ${position + 1} of the manifest has no apiVersion or no kind.`)
}
