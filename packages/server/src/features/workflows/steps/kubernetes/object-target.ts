import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { type ClusterSession, expectStatus, namespaceField, objectName } from './cluster-session.ts'
import type { KubeObject } from './kube-object.ts'
import { createFindPaths, type ResourcePaths } from './resource-paths.ts'

export const kindFields = {
  api_version: z
    .string()
    .min(1)
    .max(253)
    .meta({ title: 'API version', description: 'E.g. v1, apps/v1, batch/v1.' }),
  kind: z.string().min(1).max(63).meta({ title: 'Kind', description: 'E.g. Deployment.' }),
  namespace: namespaceField.optional().meta({ title: 'Namespace', 'x-widget': 'namespace' }),
}

export const selectorField = z
  .string()
  .max(1_000)
  .optional()
  .meta({ title: 'Label selector', description: 'E.g. app=web,tier!=cache.' })

/** Fields of a config that name one object, or several by a selector. */
export const targetFields = {
  ...kindFields,
  name: objectName.optional().meta({ title: 'Name' }),
  selector: selectorField,
}

export type Target = {
  api_version: string
  kind: string
  namespace?: string | undefined
  name?: string | undefined
  selector?: string | undefined
}

const maxObjects = 500

/** The objects that a target names; none where they do not exist. Throws StepFailure where it names nothing. */
export async function findObjects(
  session: ClusterSession,
  target: Target,
): Promise<{ objects: KubeObject[]; paths: ResourcePaths }> {
  const { api_version: apiVersion, kind, namespace, name, selector } = target
  const paths = await createFindPaths(session)(apiVersion, kind)
  if (name !== undefined) {
    const reply = await session.call('GET', paths.object(namespace, name))
    if (reply.status === 404) return { objects: [], paths }
    expectStatus(reply, [200], `${kind} "${name}" could not be read`)
    return { objects: [reply.body], paths }
  }
  if (selector === undefined || selector.trim() === '') {
    throw new StepFailure('Give a name or a selector: nothing says which objects are meant.')
  }
  const query = `labelSelector=${encodeURIComponent(selector)}&limit=${maxObjects}`
  const reply = await session.call('GET', `${paths.list(namespace)}?${query}`)
  expectStatus(reply, [200], `Objects of the kind ${kind} could not be listed`)
  const items = (reply.body['items'] ?? []) as KubeObject[]
  // Items of a list do not repeat what they are.
  return { objects: items.map((item) => ({ ...item, apiVersion, kind })), paths }
}
