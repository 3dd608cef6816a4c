import { objectPath } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isTyping } from '../../ui/is-typing.ts'
import { useListedKeys } from '../../ui/shown-keys.ts'
import { focusedRowIndex } from '../../ui/table-focus.ts'
import type { PeekAddress } from './peek-address.ts'

const withLogs = new Set([
  'pods',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'replicasets.apps',
  'jobs.batch',
])

/** The part of an object's page to which a letter leads from its row; undefined where it has none. */
export function tabOfKey(key: string, resource: string): string | undefined {
  if (key === 'e') return 'yaml'
  if (key === 'l') return withLogs.has(resource) ? 'logs' : undefined
  return key === 't' && resource === 'pods' ? 'terminal' : undefined
}

const tabKeys = [
  { keys: ['l'], does: 'Open its logs' },
  { keys: ['e'], does: 'Open its YAML' },
  { keys: ['t'], does: 'Open its terminal' },
]

/** `l`, `e` and `t` on the focused row open logs, YAML and terminal of its object. `resources` are those of the rows. */
export function useRowTabKeys(
  clusterIdAt: (index: number) => number,
  addressAt: ((index: number) => PeekAddress | undefined) | undefined,
  resources: readonly string[],
): void {
  const navigate = useNavigate()
  useListedKeys(
    'Focused row',
    tabKeys.filter(({ keys: [key = ''] }) => resources.some((resource) => tabOfKey(key, resource))),
  )
  const latest = useRef({ clusterIdAt, addressAt })
  useEffect(() => {
    latest.current = { clusterIdAt, addressAt }
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('[role="dialog"],[role="menu"]')) return
      const index = focusedRowIndex()
      if (index === undefined) return
      const address = latest.current.addressAt?.(index)
      const tab = address && tabOfKey(event.key, address.resource)
      if (!address || !tab) return
      event.preventDefault()
      void navigate({ href: objectPath({ clusterId: latest.current.clusterIdAt(index), ...address }, tab) })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate])
}
