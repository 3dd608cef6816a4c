import type { Plugin } from 'vite'
import { landingPages } from './landing-pages.ts'

/** Where the routes name their pages. */
const namesPages = /\/src\/app\/(screens|routes\/[\w-]+)\.ts$/
/** What is loaded once the first page is on screen and the browser idle. */
const loadedOnceIdle =
  /\/src\/(app\/(overlays|shortcuts|favicon\/favicon|pages\/error-page|switcher\/service-switcher|shell\/(user-menu|commands-button|command-palette|shortcut-sheet|version-details|live-details))\.tsx|data\/live-socket\.ts|lib\/logger\.ts|features\/(error-log\/reporting\/reporter\.ts|live-status\/status-dialog\.tsx|annotations\/(annotations|overlay)\.tsx|notifications\/(notification-centre|panel)\.tsx|theming\/cached-theme\.ts))$/

/** In every page's chunks anyhow. */
const smallLibraries =
  /node_modules\/(@radix-ui|radix-ui|@floating-ui|lucide-react|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden|get-nonce|detect-node-es|tslib)\//
/**
 * Finds out who needs each module, so that few chunks do for the first page and for the first idle moment of the
 * console, instead of one for every set of pages. It answers the name of a module's chunk, and null where the module
 * keeps to its page. What is there from the start, or brings a library of its own, is left to the other groups.
 */
export function chunkPlan(): { plugin: Plugin; chunkOf: (id: string) => string | null } {
  const chunks = new Map<string, string>()
  const plugin: Plugin = {
    name: 'bey-chunk-plan',
    buildEnd() {
      const ids = [...this.getModuleIds()]
      // Read once: each call of getModuleInfo builds its answer anew.
      const modules = new Map(ids.map((id) => [id, edgesOf(this.getModuleInfo(id))]))
      const edges = (id: string) => modules.get(id) ?? edgesOf(null)
      const imports = (id: string) => edges(id).importedIds
      const initial = reached(
        ids.filter((id) => edges(id).isEntry),
        imports,
      )
      const idle = reached(
        ids.filter((id) => loadedOnceIdle.test(id)),
        imports,
      )
      const pages = ids.filter((id) => namesPages.test(id)).flatMap((id) => edges(id).dynamicallyImportedIds)
      const landing = reached(
        pages.filter((id) => landingPages.some(({ page }) => id.endsWith(`/src/${page}`))),
        imports,
      )
      const everyPage = reached(pages, (id) => [...imports(id), ...edges(id).dynamicallyImportedIds])
      const counts = new Map<string, number>()
      for (const page of new Set(pages)) {
        for (const id of reached([page], imports)) counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      // Only pages about the connection itself import the live socket. Barrels reach all of a package, so its files are named.
      const isLive = (id: string) => /\/client\/src\/live\/|\/data\/(live-socket|use-live-state)\.ts/.test(id)
      const isOwn = (id: string) => id.includes('/packages/') || smallLibraries.test(id)
      const bringsLibrary = (id: string) =>
        [...reached([id], imports)].some((each) => !isOwn(each) && !initial.has(each))
      for (const id of ids) {
        const count = counts.get(id) ?? 0
        if (count === 0 && !idle.has(id)) continue
        if (isLive(id)) chunks.set(id, 'idle')
        else if (initial.has(id)) continue
        else if (idle.has(id) && !everyPage.has(id)) chunks.set(id, 'idle')
        else if (!isOwn(id) || bringsLibrary(id)) continue
        else if (count >= 3 || idle.has(id) || (count === 2 && landing.has(id))) chunks.set(id, 'common')
      }
    },
  }
  return { plugin, chunkOf: (id) => chunks.get(id) ?? null }
}

type Edges = { importedIds: string[]; dynamicallyImportedIds: string[]; isEntry: boolean }

function edgesOf(info: Edges | null): Edges {
  if (!info) return { importedIds: [], dynamicallyImportedIds: [], isEntry: false }
  const { importedIds, dynamicallyImportedIds, isEntry } = info
  return { importedIds, dynamicallyImportedIds, isEntry }
}

/** Everything that can be reached from the roots, these included. */
function reached(roots: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set(roots)
  // A set that grows while it is walked is walked to its end.
  for (const id of found) for (const each of next(id)) found.add(each)
  return found
}
