import { useCallback, useReducer, useRef } from 'react'
import { testContext } from '../../data/import.ts'
import type { ReadKubeconfig } from '../../data/import.ts'
import { causeOf } from '../../lib/error-text.ts'
import type { Change, Entry } from './import-state.ts'
import { changed, firstEntries, nameOf } from './import-state.ts'

/** Browsers open six connections to one server; one stays for the rest of the page. */
const atOnce = 5

type Action = { kind: 'start'; entries: Entry[] } | Change

function reduce(entries: readonly Entry[], action: Action): readonly Entry[] {
  return action.kind === 'start' ? action.entries : changed(entries, action)
}

/** The contexts of a kubeconfig and their tests, all at once or one again. */
export function useContextTests() {
  const [entries, dispatch] = useReducer(reduce, [])
  // A file that was replaced gets no results any more.
  const round = useRef(0)

  const testAll = useCallback(async (kubeconfig: string, which: readonly Entry[]) => {
    const mine = round.current
    const queue = [...which]
    const worker = async () => {
      for (let entry = queue.shift(); entry; entry = queue.shift()) {
        const context = nameOf(entry)
        const outcome = await testContext({ kubeconfig, context, ...entry.trust }).then(
          (found) => ({ kind: 'tested' as const, ...found }),
          (error: unknown) => ({ kind: 'error' as const, message: causeOf(error) }),
        )
        if (round.current !== mine) return
        dispatch({ kind: 'outcome', context, outcome })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }, [])

  return {
    entries,
    change: dispatch as (change: Change) => void,
    start(kubeconfig: string, contexts: ReadKubeconfig['contexts']) {
      round.current += 1
      const first = firstEntries(contexts)
      dispatch({ kind: 'start', entries: first })
      return testAll(
        kubeconfig,
        first.filter(({ outcome }) => outcome.kind === 'testing'),
      )
    },
    again(kubeconfig: string, which: readonly Entry[]) {
      for (const entry of which) {
        const context = nameOf(entry)
        dispatch({ kind: 'edit', context, values: { trust: entry.trust } })
        dispatch({ kind: 'outcome', context, outcome: { kind: 'testing' } })
      }
      return testAll(kubeconfig, which)
    },
    clear() {
      round.current += 1
      dispatch({ kind: 'start', entries: [] })
    },
  }
}
