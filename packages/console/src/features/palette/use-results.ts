import type { PaletteEntity, ThemeMode } from '@bey/contract'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useCurrentOrganization, useOrganizationId } from '../../data/session.ts'
import type { Command } from '../../lib/command.ts'
import { storage } from '../../lib/storage.ts'
import { useShownPath } from '../../lib/shown-path.ts'
import type { PaletteItem } from './item.ts'
import { indexOf, itemsById, itemsOf } from './items.ts'
import { readRecents } from './recents.ts'
import { foundRows, restingRows } from './results.ts'
import type { Row } from './results.ts'
import { quickSearch } from './scorer.ts'
import { suggest } from './suggestions.ts'
import { documentItem } from './document-items.ts'
import { hostItem } from './host-items.ts'
import { objectItem } from './object-items.ts'
import { useFoundPassages } from '../../data/docs.ts'
import { useFoundEntities, useFoundHosts, useFoundObjects, withFound } from '../../data/palette.ts'
import { useEntities } from './use-entities.ts'
import { useFuzzy } from './use-fuzzy.ts'

/** What the console gives the palette to work with. */
export interface Setting {
  commands: readonly Command[]
  theme: ThemeMode
  now: () => Date
}

export interface Results {
  rows: readonly Row[]
  isLoading: boolean
  /** Typo matches of the query are still being looked for. */
  isSearching: boolean
}

/** What the palette lists for a query. While `isHeld`, what arrives from the server waits: rows stay where they are. */
export function useResults(query: string, isHeld: boolean, setting: Setting): Results {
  const items = useItems(isHeld, setting.commands, query)
  const resting = useResting(items.all, items.isFirstUse, setting)
  const similarIds = useFuzzy(items.all, query)
  const objects = useObjects(isHeld, query)
  const hosts = useHosts(isHeld, query)
  const documents = useDocuments(isHeld, query)
  const rows = useMemo(() => {
    if (query === '') return resting
    const similar = (similarIds ?? []).flatMap((id) => itemsById(items.all).get(id) ?? [])
    return foundRows(
      quickSearch(indexOf(items.all), query),
      similar,
      objects.shown,
      hosts.shown,
      documents.shown,
    )
  }, [items.all, query, resting, similarIds, objects.shown, hosts.shown, documents.shown])
  return {
    rows,
    isLoading: items.isLoading,
    isSearching:
      query !== '' &&
      (similarIds === undefined ||
        items.isSearching ||
        objects.isSearching ||
        hosts.isSearching ||
        documents.isSearching),
  }
}

const nothing: readonly PaletteEntity[] = []

function useItems(
  isHeld: boolean,
  commands: readonly Command[],
  query: string,
): { all: readonly PaletteItem[]; isFirstUse: boolean; isLoading: boolean; isSearching: boolean } {
  const router = useRouter()
  const { entities: latest, isLoading } = useEntities()
  const { found, isSearching } = useFoundEntities(latest ?? nothing, query)
  const known = useMemo(() => withFound(latest ?? nothing, found), [latest, found])
  const [shown, setShown] = useState(known)
  if (!isHeld && shown !== known) setShown(known)
  const isFirstUse = latest !== undefined && !latest.some(({ type }) => type === 'cluster')
  return { all: itemsOf(router.routesById)(commands)(shown), isFirstUse, isLoading, isSearching }
}

/** Objects of clusters that the server finds; while `isHeld`, those of before stay. */
function useObjects(isHeld: boolean, query: string) {
  const { found, isSearching } = useFoundObjects(query)
  const items = useMemo(() => found.map(objectItem), [found])
  const [shown, setShown] = useState(items)
  if (!isHeld && shown !== items) setShown(items)
  return { shown, isSearching }
}

/** Hosts that the server finds; while `isHeld`, those of before stay. */
function useHosts(isHeld: boolean, query: string) {
  const { found, isSearching } = useFoundHosts(query)
  const items = useMemo(() => found.map(hostItem), [found])
  const [shown, setShown] = useState(items)
  if (!isHeld && shown !== items) setShown(items)
  return { shown, isSearching }
}

/** Passages of the documentation; while `isHeld`, those of before stay. */
function useDocuments(isHeld: boolean, query: string) {
  const { found, isSearching } = useFoundPassages(query)
  const items = useMemo(() => found.map(documentItem), [found])
  const [shown, setShown] = useState(items)
  if (!isHeld && shown !== items) setShown(items)
  return { shown, isSearching }
}

function useResting(
  all: readonly PaletteItem[],
  isFirstUse: boolean,
  { theme, now }: Setting,
): readonly Row[] {
  const path = useShownPath()
  const organizationId = useOrganizationId()
  const hasOrganization = useCurrentOrganization() !== undefined
  const [openedAt] = useState(now)
  return useMemo(() => {
    const known = itemsById(all)
    const recent = readRecents(storage, organizationId).flatMap(({ id }) => known.get(id) ?? [])
    const suggested = suggest(all, {
      path,
      hour: openedAt.getHours(),
      hasOrganization,
      isFirstUse,
      theme,
    })
    return restingRows(all, suggested, recent)
  }, [all, isFirstUse, path, theme, organizationId, hasOrganization, openedAt])
}
