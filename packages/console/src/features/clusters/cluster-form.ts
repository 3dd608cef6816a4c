import type { ClusterProvider, NodeGroup } from '@bey/contract'
import { isDnsLabel } from '@bey/contract'
import type { NewCluster } from '../../data/clusters.ts'
import type { FieldErrors } from '../../lib/use-submission.ts'

const gibibyte = 1024 ** 3

/** A node group as it is typed: figures are text until they are read. */
export interface GroupDraft {
  /** Stays the same while groups before it come and go. */
  key: number
  name: string
  count: string
  cpuCores: string
  memoryGib: string
}

export interface ClusterDraft {
  title: string
  providerId: ClusterProvider['id']
  region: string
  version: string
  groups: readonly GroupDraft[]
}

const dnsLabelText =
  'Use 1 to 63 lower-case letters, digits and hyphens; start and end with a letter or digit.'

export function newDraft(provider: ClusterProvider): ClusterDraft {
  return {
    title: '',
    providerId: provider.id,
    region: provider.regions[0] ?? '',
    version: provider.versions[0] ?? '',
    groups: provider.defaultNodeGroups.map((group, index) => groupDraft(group, index)),
  }
}

function groupDraft(group: NodeGroup, key: number): GroupDraft {
  return {
    key,
    name: group.name,
    count: String(group.count),
    cpuCores: String(group.cpuCores),
    memoryGib: String(group.memoryBytes / gibibyte),
  }
}

/** The draft with one more group, shaped like the last and named by the first free number. */
export function withGroup(draft: ClusterDraft): ClusterDraft {
  const names = new Set(draft.groups.map((group) => group.name))
  let number = draft.groups.length + 1
  while (names.has(`group-${number}`)) number += 1
  const key = Math.max(-1, ...draft.groups.map((group) => group.key)) + 1
  const last = draft.groups.at(-1)
  const { cpuCores = '4', memoryGib = '16' } = last ?? {}
  return {
    ...draft,
    groups: [...draft.groups, { key, name: `group-${number}`, count: '1', cpuCores, memoryGib }],
  }
}

export function titleError(title: string): string | undefined {
  if (title === '') return 'Enter a title.'
  return isDnsLabel(title) ? undefined : dnsLabelText
}

/** Everything that is wrong with a draft; empty when it can be created. */
export function draftErrors(draft: ClusterDraft, provider: ClusterProvider): FieldErrors {
  const errors: Record<string, string> = {}
  const add = (path: string, message: string | undefined) => {
    if (message) errors[path] = message
  }
  add('title', titleError(draft.title))
  if (draft.groups.length === 0) add('nodeGroups', 'A cluster needs at least one node group.')
  draft.groups.forEach((group, index) => {
    const path = `nodeGroups.${index}`
    const isTaken = draft.groups.findIndex((other) => other.name === group.name) !== index
    add(`${path}.name`, isDnsLabel(group.name) ? undefined : dnsLabelText)
    if (isTaken && group.name) add(`${path}.name`, 'Another group has this name.')
    add(`${path}.count`, rangeError(group.count, 1, 100))
    add(`${path}.cpuCores`, rangeError(group.cpuCores, 1, 128))
    add(`${path}.memoryBytes`, rangeError(group.memoryGib, 1, 1024))
  })
  const { nodes } = totals(draft)
  if (nodes > provider.maxNodes && !errors['nodeGroups']) {
    add('nodeGroups', `${provider.label} takes at most ${provider.maxNodes} nodes; these are ${nodes}.`)
  }
  return errors
}

function rangeError(text: string, min: number, max: number): string | undefined {
  const value = wholeNumber(text)
  return value === undefined || value < min || value > max
    ? `A whole number from ${min} to ${max}.`
    : undefined
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined
}

/** Nodes, cores and bytes that a draft asks for; what cannot be read counts nothing. */
export function totals(draft: ClusterDraft): { nodes: number; cpuCores: number; memoryBytes: number } {
  const sum = { nodes: 0, cpuCores: 0, memoryBytes: 0 }
  for (const group of draft.groups) {
    const count = wholeNumber(group.count) ?? 0
    sum.nodes += count
    sum.cpuCores += count * (wholeNumber(group.cpuCores) ?? 0)
    sum.memoryBytes += count * (wholeNumber(group.memoryGib) ?? 0) * gibibyte
  }
  return sum
}

/** What is sent; the draft must have no errors. */
export function newCluster(draft: ClusterDraft): NewCluster {
  return {
    title: draft.title,
    provider: draft.providerId,
    region: draft.region,
    version: draft.version,
    nodeGroups: draft.groups.map((group) => ({
      name: group.name,
      count: Number(group.count),
      cpuCores: Number(group.cpuCores),
      memoryBytes: Number(group.memoryGib) * gibibyte,
    })),
  }
}

/** Whether anything was typed that leaving would lose. */
export function isChanged(draft: ClusterDraft, provider: ClusterProvider): boolean {
  return JSON.stringify(draft) !== JSON.stringify({ ...newDraft(provider), providerId: draft.providerId })
}
