import { readFileSync } from 'node:fs'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { clone, isObject, textAt, type Json } from '../json.ts'
import type { NodePower } from '../nodes/node-power.ts'
import { badRequest, StatusError } from '../status-error.ts'
import {
  claims,
  deployments,
  ingresses,
  type KindKey,
  type KubeObject,
  namespaces,
  nodes,
  secrets,
  services,
} from '../types.ts'
import { faultLabel, faultNamespace, faults, type Fault } from './fault-list.ts'
import { addCertificate, clearDisk, fillDisk, workers } from './play.ts'

/** What is broken just now: when it began, and the machine that it happened to. */
type Active = { since: string; node?: string }

export type Faults = {
  list(): Json
  apply(id: string): Promise<void>
  end(id: string): void
}

/** Breaks things and mends them. `save` is given what must survive a restart. */
export function createFaults(
  cluster: Cluster,
  power: NodePower,
  kept: Readonly<Record<string, Active>>,
  save: (active: Readonly<Record<string, Active>>) => void,
): Faults {
  const active = new Map(Object.entries(kept))
  const { store } = cluster
  const setDelay = () => {
    cluster.apiDelay.ms = Math.max(
      0,
      ...faults.map((one) => (active.has(one.id) ? (one.apiDelayMs ?? 0) : 0)),
    )
  }
  const keep = () => {
    setDelay()
    store.flush()
    save(Object.fromEntries(active))
  }
  setDelay()
  return {
    list: () =>
      faults.map(({ id, title, about }) => ({ id, title, about, since: active.get(id)?.since ?? null })),

    async apply(id) {
      const fault = faultOf(id)
      if (active.has(id)) return
      const node = machineFor(cluster, fault, active)
      // First, so that what was half done when the process died can be ended.
      active.set(id, { since: new Date(cluster.clock.now()).toISOString(), ...(node ? { node } : {}) })
      save(Object.fromEntries(active))
      if (node !== undefined) breakMachine(cluster, power, fault, node)
      await addObjects(cluster, fault)
      keep()
    },

    end(id) {
      const fault = faultOf(id)
      const node = active.get(id)?.node
      if (node !== undefined && fault.machine === 'stopped') power.start(node)
      const found = node === undefined ? undefined : store.get(nodes, undefined, node)
      if (found && fault.machine === 'full-disk') clearDisk(cluster, found)
      removeObjects(cluster, fault)
      active.delete(id)
      keep()
    },
  }
}

function faultOf(id: string): Fault {
  const fault = faults.find((one) => one.id === id)
  if (fault) return fault
  const known = faults.map((one) => one.id).join(', ')
  throw badRequest(`There is no fault named ${JSON.stringify(id)}. There are: ${known}.`)
}

function machineFor(cluster: Cluster, fault: Fault, active: ReadonlyMap<string, Active>): string | undefined {
  if (fault.machine === undefined) return undefined
  const taken = new Set([...active.values()].map(({ node }) => node))
  const free = workers(cluster).filter((node) => !taken.has(node.metadata.name))
  const node = fault.machine === 'stopped' ? free.at(-1) : free[0]
  if (node) return node.metadata.name
  throw new StatusError(409, 'Conflict', 'There is no worker node left that could be broken.')
}

function breakMachine(cluster: Cluster, power: NodePower, fault: Fault, name: string): void {
  const node = cluster.store.get(nodes, undefined, name)
  if (fault.machine === 'stopped') power.stop(name)
  else if (node) fillDisk(cluster, node)
}

/** Kinds of the objects of faults. */
const keys: Readonly<Record<string, KindKey<KubeObject>>> = {
  Deployment: deployments,
  Ingress: ingresses,
  PersistentVolumeClaim: claims,
  Service: services,
}

async function addObjects(cluster: Cluster, fault: Fault): Promise<void> {
  const { resources, registry, store } = cluster
  if (fault.machine !== undefined || fault.apiDelayMs !== undefined) return
  if (!store.get(namespaces, undefined, faultNamespace))
    resources.make(namespaces, undefined, { metadata: { name: faultNamespace } })
  for (const object of fault.objects ?? []) {
    const key = keys[textAt(object, 'kind') ?? '']
    if (key === undefined) throw new Error(`The fault ${fault.id} has an object of a kind without a key`)
    if (store.get(key, faultNamespace, textAt(object, 'metadata', 'name') ?? '')) continue
    resources.create(registry.stored(key.key), faultNamespace, clone(object))
  }
  if (fault.certificateDays !== undefined) {
    await addCertificate(cluster, {
      namespace: faultNamespace,
      name: 'storefront-tls',
      host: 'shop.example.com',
      daysLeft: fault.certificateDays,
      labels: { [faultLabel]: fault.id },
    })
  }
}

function removeObjects({ store, resources, registry }: Cluster, fault: Fault): void {
  for (const key of [...Object.values(keys), secrets]) {
    for (const { metadata } of store.all(key.key, faultNamespace)) {
      if (metadata.labels?.[faultLabel] !== fault.id) continue
      deleteObject(resources, registry.stored(key.key), faultNamespace, metadata.name, {})
    }
  }
}

/** What was broken when the process ended. */
export function readFaults(path: string): Record<string, Active> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(value)) return {}
    return Object.fromEntries(
      Object.entries(value).flatMap(([id, one]) => {
        const since = textAt(one, 'since')
        const node = textAt(one, 'node')
        return since === undefined ? [] : [[id, { since, ...(node === undefined ? {} : { node }) }]]
      }),
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}
