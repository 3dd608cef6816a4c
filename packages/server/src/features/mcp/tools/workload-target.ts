import { kubernetesPath } from '@bey/contract'
import { AppError } from '../../../platform/errors.ts'
import { findObject, objectParams, type ObjectTarget } from '../targets.ts'
import type { ToolContext } from '../tool.ts'

export type PodTemplate = {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }
  spec?: { containers?: { name?: string; image?: string }[] }
}

/** The parts of an object that acts look at. */
export type KubeObject = {
  metadata?: {
    uid?: string
    name?: string
    generation?: number
    annotations?: Record<string, string>
    ownerReferences?: { kind?: string; name?: string; uid?: string; controller?: boolean }[]
  }
  spec?: {
    replicas?: number
    paused?: boolean
    selector?: { matchLabels?: Record<string, string> }
    template?: PodTemplate
    unschedulable?: boolean
  }
}

export type FoundObject = ObjectTarget & {
  /** Where the API server keeps it. */
  path: string
  object: KubeObject
}

/** An object as it is now. Throws AppError for one that is not there, and for kinds that a tool does not act on. */
export async function readObject(
  context: ToolContext,
  fields: { cluster: string; kind: string; namespace?: string | undefined; name: string },
  kinds?: readonly string[],
): Promise<FoundObject> {
  const target = await findObject(context, fields)
  const { resource, object } = await context.call('kubernetes.object', { params: objectParams(target) })
  if (kinds !== undefined && !kinds.includes(resource.kind))
    throw new AppError('conflict', `This works for ${kinds.join(', ')}; ${target.label} is none of them.`)
  return {
    ...target,
    path: kubernetesPath(resource, target.namespace, target.name),
    object,
  }
}

export const dryRun = (path: string) => `${path}${path.includes('?') ? '&' : '?'}dryRun=All`

export const mergePatch = 'application/merge-patch+json'

/** Images of the containers of a template, as people compare them. */
export function imagesOf(template: PodTemplate | undefined): string {
  return (template?.spec?.containers ?? []).map(({ name, image }) => `${name}: ${image}`).join(', ')
}
