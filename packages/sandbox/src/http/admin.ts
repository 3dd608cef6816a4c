import type { IncomingMessage, ServerResponse } from 'node:http'
import { installAddons } from '../addons/addons.ts'
import type { Cluster } from '../api/context.ts'
import { isObject, listAt, numberAt, objectAt, plain, textAt, type Json, type JsonObject } from '../json.ts'
import { joinNodes } from '../nodes/machines.ts'
import type { NodePower } from '../nodes/node-power.ts'
import type { NodeGroup, NodeTaint } from '../options.ts'
import { parseQuantity } from '../quantity.ts'
import type { Faults } from '../scenarios/faults.ts'
import { playScenario } from '../scenarios/play.ts'
import { badRequest, methodNotAllowed, pathNotFound, StatusError } from '../status-error.ts'
import { nodes } from '../types.ts'
import { isSameSecret } from './authenticate.ts'
import { parseText, readBody } from './body.ts'
import { sendJson } from './respond.ts'

/** Serves the requests below `/sandbox/`; answers whether it did. */
export type AdminHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>

const mostNodes = 1000
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

/**
 * What a real cluster has no API for: machines that appear and fail, and the add-ons. For the admin token alone, whose
 * every request claims the sandbox.
 */
export function adminHandler(
  cluster: Cluster,
  power: NodePower,
  faults: Faults,
  adminToken: string,
  claim: () => void,
): AdminHandler {
  const routes: Record<string, { method: string; run: (body: Json) => Json | Promise<Json> }> = {
    '/sandbox/v1/nodes': { method: 'POST', run: (body) => addNodes(cluster, readGroups(body, cluster)) },
    '/sandbox/v1/addons': { method: 'POST', run: () => addAddons(cluster) },
    '/sandbox/v1/chaos': { method: 'POST', run: (body) => switchNode(cluster, power, body) },
    '/sandbox/v1/scenario': { method: 'POST', run: (body) => play(cluster, power, body) },
    '/sandbox/v1/status': { method: 'GET', run: () => status(cluster) },
  }
  const faultList = async (request: IncomingMessage) => {
    if (request.method === 'POST') await switchFault(faults, await readJson(request))
    else if (request.method !== 'GET') throw methodNotAllowed()
    return { faults: faults.list() }
  }
  return async (request, response, url) => {
    if (!url.pathname.startsWith('/sandbox/')) return false
    const header = request.headers.authorization ?? ''
    if (!isSameSecret(header, `Bearer ${adminToken}`))
      throw new StatusError(401, 'Unauthorized', 'Unauthorized')
    claim()
    if (url.pathname === '/sandbox/v1/faults') {
      sendJson(response, 200, await faultList(request))
      return true
    }
    if (url.pathname === '/sandbox/v1/flows') {
      if (request.method !== 'GET') throw methodNotAllowed()
      sendJson(response, 200, flowList(cluster, url.searchParams.get('after')))
      return true
    }
    const route = routes[url.pathname]
    if (!route) throw pathNotFound()
    if (request.method !== route.method) throw methodNotAllowed()
    const answer = await route.run(await readJson(request))
    sendJson(response, 200, isObject(answer) ? answer : {})
    return true
  }
}

/** Flows seen after a time, with the time of the answer to ask for later ones. */
function flowList({ flows, clock }: Cluster, after: string | null): JsonObject {
  const afterMs = after === null ? 0 : Date.parse(after)
  if (Number.isNaN(afterMs)) throw badRequest(`"after" is no time: ${JSON.stringify(after)}.`)
  return { at: new Date(clock.now()).toISOString(), flows: flows.list(afterMs) }
}

async function readJson(request: IncomingMessage): Promise<Json> {
  const bytes = await readBody(request)
  return bytes.length > 0 ? parseText(bytes, false, (fault) => `The request body is no JSON: ${fault}.`) : {}
}

async function switchFault(faults: Faults, body: Json): Promise<void> {
  const id = textAt(body, 'id') ?? ''
  const action = textAt(body, 'action')
  if (action === 'apply') await faults.apply(id)
  else if (action === 'end') faults.end(id)
  else throw badRequest('The action must be "apply" or "end".')
}

function addNodes(cluster: Cluster, groups: NodeGroup[]): Json {
  const names = joinNodes(cluster, groups)
  cluster.store.flush()
  return { nodes: names }
}

async function addAddons(cluster: Cluster): Promise<Json> {
  await installAddons(cluster)
  return { installed: true }
}

async function play(cluster: Cluster, power: NodePower, body: Json): Promise<Json> {
  const name = textAt(body, 'name') ?? ''
  await playScenario(cluster, power, name)
  return { name }
}

function status(cluster: Cluster): Json {
  const { name, store, clock, startedAtMs, limits } = cluster
  const all = store.list(nodes)
  const ready = all.filter((node) =>
    node.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
  )
  return {
    name,
    nodes: all.length,
    ready: ready.length,
    objects: store.size,
    maxObjects: finite(limits.maxObjects),
    storedBytes: store.bytes,
    maxStoredBytes: finite(limits.maxStoredBytes),
    diskBytes: store.diskBytes,
    memoryBytes: process.memoryUsage.rss(),
    uptimeSeconds: Math.floor((clock.now() - startedAtMs) / 1000),
  }
}

/** JSON has no infinity: null for no limit. */
function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null
}

function switchNode(cluster: Cluster, power: NodePower, body: Json): Json {
  const node = textAt(body, 'node') ?? ''
  const action = textAt(body, 'action')
  if (!cluster.store.get(nodes, undefined, node))
    throw badRequest(`There is no node named ${JSON.stringify(node)}.`)
  if (action === 'stop') power.stop(node)
  else if (action === 'start') power.start(node)
  else throw badRequest('The action must be "stop" or "start".')
  return { node, action }
}

/** The groups of a request's body or of the command line. Throws 400 with a sentence for what makes no sense. */
export function readGroups(body: Json, cluster?: Cluster): NodeGroup[] {
  const list = Array.isArray(body) ? body : listAt(body, 'groups')
  const groups = list.map(readGroup)
  const sum = groups.reduce((total, group) => total + group.count, cluster?.store.count(nodes.key) ?? 0)
  if (sum > mostNodes) throw badRequest(`A sandbox has at most ${mostNodes} nodes; these would make ${sum}.`)
  return groups
}

function readGroup(item: Json): NodeGroup {
  const name = textAt(item, 'name') ?? ''
  const count = numberAt(item, 'count') ?? Number.NaN
  const cpu = textAt(item, 'cpu')
  const memory = textAt(item, 'memory')
  if (!label.test(name)) throw badRequest(`The group name ${JSON.stringify(name)} is no DNS label.`)
  if (!Number.isInteger(count) || count < 0)
    throw badRequest(`The count of group ${name} must be a whole number.`)
  for (const [what, value] of [
    ['cpu', cpu],
    ['memory', memory],
  ] as const) {
    if (value !== undefined && !((parseQuantity(value) ?? 0) > 0))
      throw badRequest(`The ${what} of group ${name} is no positive quantity.`)
  }
  return {
    name,
    count,
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    labels: Object.fromEntries(
      Object.entries(objectAt(item, 'labels') ?? {}).map(([key, value]) => [key, plain(value)]),
    ),
    taints: listAt(item, 'taints').map(readTaint),
  }
}

function readTaint(item: Json): NodeTaint {
  const key = textAt(item, 'key') ?? ''
  const value = textAt(item, 'value')
  const effect = effects.find((one) => one === textAt(item, 'effect'))
  if (key === '' || effect === undefined)
    throw badRequest(`A taint needs a key and one of the effects ${effects.join(', ')}.`)
  return { key, effect, ...(value === undefined ? {} : { value }) }
}
