import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { mayDo } from '../../platform/keys/key-rights.ts'
import type { Tool } from './tool.ts'
import { listAlerts } from './tools/access.ts'
import { listClusters, listWorkloads } from './tools/objects.ts'
import { listRuns } from './tools/runs.ts'
import { needsAttention } from './tools/trouble.ts'

type Row = { uri: string; name: string; title: string; tool: Tool }

/** What a person can attach to a conversation: each is what a tool answers without arguments. */
const rows: readonly Row[] = [
  { uri: 'bey://attention', name: 'attention', title: 'What needs attention', tool: needsAttention },
  { uri: 'bey://clusters', name: 'clusters', title: 'Clusters', tool: listClusters },
  { uri: 'bey://runs', name: 'runs', title: 'Latest runs', tool: listRuns },
  { uri: 'bey://alerts', name: 'alerts', title: 'Alerts', tool: listAlerts },
]
const workloads = 'bey://clusters/{cluster}/workloads'
const mimeType = 'application/json'

const mayUse = (caller: TenantCaller, { needs }: Tool) => needs.every((each) => mayDo(caller, each))

export function resourcesOf(caller: TenantCaller): Resource[] {
  return rows
    .filter(({ tool }) => mayUse(caller, tool))
    .map(({ uri, name, title, tool }) => ({ uri, name, title, description: tool.description, mimeType }))
}

export function resourceTemplatesOf(caller: TenantCaller): ResourceTemplate[] {
  const { description } = listWorkloads
  return mayUse(caller, listWorkloads)
    ? [{ uriTemplate: workloads, name: 'workloads', title: 'Workloads of a cluster', description, mimeType }]
    : []
}

/** The call that answers a resource; undefined for an address that none has. */
export function callOfResource(
  uri: string,
): { name: string; arguments: Record<string, unknown> } | undefined {
  const row = rows.find((each) => each.uri === uri)
  if (row) return { name: row.tool.name, arguments: {} }
  const [, cluster] = /^bey:\/\/clusters\/([^/]{1,300})\/workloads$/.exec(uri) ?? []
  if (cluster === undefined || !isDecodable(cluster)) return undefined
  return { name: listWorkloads.name, arguments: { cluster: decodeURIComponent(cluster) } }
}

function isDecodable(text: string): boolean {
  return URL.canParse(`bey://x/${text}`) && !/%(?![0-9a-f]{2})/i.test(text)
}
