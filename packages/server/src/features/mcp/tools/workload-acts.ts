import { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import { clusterField, kindField, nameField, namespaceField, objectFields } from '../targets.ts'
import { actTool } from '../tool.ts'
import { dryRun, imagesOf, mergePatch, readObject } from './workload-target.ts'

const rolledOut = ['Deployment', 'StatefulSet', 'DaemonSet']
const needs = ['kubernetes.write', 'kubernetes.read', 'clusters.read'] as const
const workload = { cluster: clusterField, kind: kindField, namespace: namespaceField, name: nameField }

export const restartWorkload = actTool({
  name: 'restart_workload',
  title: 'Restart a workload',
  description:
    'Replaces the pods of a Deployment, StatefulSet or DaemonSet one after the other, as its rollout strategy says.',
  needs,
  input: workload,
  async plan(context, fields) {
    const target = await readObject(context, fields, rolledOut)
    if (target.object.spec?.paused)
      throw new AppError(
        'conflict',
        `The rollout of ${target.label} is paused, so nothing would be restarted.`,
      )
    const annotations = { 'kubectl.kubernetes.io/restartedAt': context.now().toISOString() }
    const patch = {
      method: 'PATCH',
      contentType: mergePatch,
      body: { spec: { template: { metadata: { annotations } } } },
    } as const
    await context.kubernetes(target.cluster.id, { ...patch, path: dryRun(target.path) })
    return {
      summary: `The pods of ${target.label} are replaced.`,
      async apply({ kubernetes }) {
        await kubernetes(target.cluster.id, { ...patch, path: target.path })
        return { summary: `${target.label} restarts.` }
      },
    }
  },
})

export const scaleWorkload = actTool({
  name: 'scale_workload',
  title: 'Scale a workload',
  description:
    'Sets how many pods a Deployment or StatefulSet has. A person is asked before it goes to none.',
  needs,
  mayDestroy: true,
  input: { ...workload, replicas: z.number().int().min(0).max(10_000) },
  async plan(context, { replicas, ...fields }) {
    const target = await readObject(context, fields, ['Deployment', 'StatefulSet'])
    const before = target.object.spec?.replicas ?? 1
    const path = `${target.path}/scale`
    const patch = { method: 'PATCH', contentType: mergePatch, body: { spec: { replicas } } } as const
    await context.kubernetes(target.cluster.id, { ...patch, path: dryRun(path) })
    const autoscaler = await autoscalerOf()
    return {
      summary: `${target.label} goes from ${before} to ${replicas} pods.`,
      details: {
        before: `${before} pods`,
        after: `${replicas} pods`,
        warnings: autoscaler === undefined ? [] : [`The autoscaler "${autoscaler}" may undo it.`],
      },
      ...(replicas === 0 &&
        before > 0 && { question: `Scale ${target.label} from ${before} pods to none? It stops serving.` }),
      async apply({ kubernetes }) {
        await kubernetes(target.cluster.id, { ...patch, path })
        return { summary: `${target.label} goes from ${before} to ${replicas} pods.` }
      },
    }

    async function autoscalerOf(): Promise<string | undefined> {
      const { cluster, namespace, name } = target
      const list = await context.kubernetes(cluster.id, {
        method: 'GET',
        path: `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`,
      })
      const items = (list['items'] ?? []) as {
        metadata?: { name?: string }
        spec?: { scaleTargetRef?: { name?: string } }
      }[]
      return items.find(({ spec }) => spec?.scaleTargetRef?.name === name)?.metadata?.name
    }
  },
})

export const setImage = actTool({
  name: 'set_image',
  title: 'Set an image',
  description:
    'Sets the image of one container of a Deployment, StatefulSet or DaemonSet, such as to mend a wrong tag.',
  needs,
  input: {
    ...workload,
    container: z.string().min(1).max(63),
    image: z.string().min(1).max(500).regex(/^\S+$/, 'Send an image without spaces.'),
  },
  async plan(context, { container, image, ...fields }) {
    const target = await readObject(context, fields, rolledOut)
    const containers = target.object.spec?.template?.spec?.containers ?? []
    if (!containers.some(({ name }) => name === container))
      throw new AppError(
        'not_found',
        `${target.label} has no container "${container}". It has ${containers.map(({ name }) => name).join(', ')}.`,
      )
    const patch = {
      method: 'PATCH',
      contentType: 'application/strategic-merge-patch+json',
      body: { spec: { template: { spec: { containers: [{ name: container, image }] } } } },
    } as const
    await context.kubernetes(target.cluster.id, { ...patch, path: dryRun(target.path) })
    return {
      summary: `The container ${container} of ${target.label} gets the image ${image}; its pods are replaced.`,
      details: { before: imagesOf(target.object.spec?.template), after: `${container}: ${image}` },
      async apply({ kubernetes }) {
        await kubernetes(target.cluster.id, { ...patch, path: target.path })
        return { summary: `The container ${container} of ${target.label} gets the image ${image}.` }
      },
    }
  },
})

export const deleteObject = actTool({
  name: 'delete_object',
  title: 'Delete an object',
  description:
    'Deletes an object of a cluster, such as a stuck pod. A person is asked first. Ask blast_radius before.',
  needs: ['kubernetes.delete', 'kubernetes.read', 'clusters.read'],
  mayDestroy: true,
  input: objectFields,
  async plan(context, fields) {
    const target = await readObject(context, fields)
    const controller = target.object.metadata?.ownerReferences?.find((each) => each.controller)
    await context.kubernetes(target.cluster.id, { method: 'DELETE', path: dryRun(target.path) })
    const after =
      controller === undefined
        ? 'Nothing makes it anew.'
        : `${controller.kind} ${controller.name} makes another one.`
    return {
      summary: `${target.label} is deleted. ${after}`,
      question: `Delete ${target.label}? ${after}`,
      async apply({ kubernetes }) {
        await kubernetes(target.cluster.id, {
          method: 'DELETE',
          path: target.path,
          // Another object that took its name meanwhile is left alone.
          body: {
            kind: 'DeleteOptions',
            apiVersion: 'v1',
            preconditions: { uid: target.object.metadata?.uid },
          },
        })
        return { summary: `${target.label} is being deleted.` }
      },
    }
  },
})

export const cordonNode = actTool({
  name: 'cordon_node',
  title: 'Cordon or uncordon a node',
  description: 'Keeps new pods away from a node, or lets them in again. Pods that run there stay.',
  needs,
  input: {
    cluster: clusterField,
    name: nameField,
    isSchedulable: z.boolean().describe('False cordons the node, true uncordons it.'),
  },
  async plan(context, { isSchedulable, ...fields }) {
    const target = await readObject(context, { ...fields, kind: 'Node' }, ['Node'])
    const patch = {
      method: 'PATCH',
      contentType: mergePatch,
      body: { spec: { unschedulable: !isSchedulable } },
    } as const
    await context.kubernetes(target.cluster.id, { ...patch, path: dryRun(target.path) })
    const text = `${target.label} ${isSchedulable ? 'takes new pods again' : 'takes no new pods'}.`
    return {
      summary: text,
      async apply({ kubernetes }) {
        await kubernetes(target.cluster.id, { ...patch, path: target.path })
        return { summary: text }
      },
    }
  },
})
