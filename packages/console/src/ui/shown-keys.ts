import { useEffect, useSyncExternalStore } from 'react'

/** A key that acts on what is on screen. */
export interface ShownKey {
  /** Each does the same; as shortcuts are spelled: `j`, `Mod+S`, `Shift+F8`. */
  keys: readonly string[]
  /** As the sheet of shortcuts says it: "Next row". */
  does: string
}

type Group = { name: string; keys: readonly ShownKey[] }

let groups: readonly Group[] = []
const listeners = new Set<() => void>()

/** Lists keys in the sheet of shortcuts, under the name of what they act on, for as long as that is on screen. */
export function useListedKeys(name: string, keys: readonly ShownKey[]): void {
  // Compared by content: equal keys from another render change nothing.
  const text = JSON.stringify(keys)
  useEffect(() => {
    const listed: readonly ShownKey[] = JSON.parse(text)
    if (listed.length === 0) return
    const mine = { name, keys: listed }
    set([...groups, mine])
    return () => set(groups.filter((each) => each !== mine))
  }, [name, text])
}

/** The keys of what is on screen now, by what they act on, each once. */
export function useShownKeys(): readonly Group[] {
  const all = useSyncExternalStore(subscribe, () => groups)
  return [...new Set(all.map(({ name }) => name))].map((name) => {
    const keys = all.filter((each) => each.name === name).flatMap((each) => each.keys)
    return {
      name,
      keys: [...new Map(keys.map((key) => [`${key.keys.join(' ')} ${key.does}`, key])).values()],
    }
  })
}

function set(next: readonly Group[]) {
  groups = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
