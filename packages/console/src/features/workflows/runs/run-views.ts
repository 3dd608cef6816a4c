import { useState } from 'react'
import { useOrganizationId } from '../../../data/session.ts'
import { readJson, storage } from '../../../lib/storage.ts'

/** A named address of the list of runs. */
export interface RunView {
  name: string
  /** What follows the question mark. */
  search: string
}

/** As many as can be overlooked. */
const mostViews = 30

/** The views of this browser in this organization; saving under a known name replaces it. */
export function useRunViews() {
  const organizationId = String(useOrganizationId())
  const [views, setViews] = useState(() => readViews()[organizationId] ?? [])
  const write = (next: readonly RunView[]) => {
    storage.write('runViews', JSON.stringify({ ...readViews(), [organizationId]: next }))
    setViews(next)
  }
  return {
    views,
    save: (view: RunView) =>
      write([...views.filter(({ name }) => name !== view.name), view].slice(-mostViews)),
    remove: (name: string) => write(views.filter((each) => each.name !== name)),
  }
}

/** Views by organization; whatever else stands in the storage is passed over. */
function readViews(): Record<string, readonly RunView[]> {
  const stored = readJson(storage, 'runViews')
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(
    Object.entries(stored).map(([id, list]) => [id, Array.isArray(list) ? list.filter(isView) : []]),
  )
}

function isView(value: unknown): value is RunView {
  if (typeof value !== 'object' || value === null) return false
  const { name, search } = value as Partial<RunView>
  return typeof name === 'string' && typeof search === 'string'
}
