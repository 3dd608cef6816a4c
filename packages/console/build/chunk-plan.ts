import type { Plugin } from 'vite'
import { landingPages } from './landing-pages.ts'
import { namedImports } from './named-imports.ts'

/** Of which a file for a page or two is a crumb. */
const isSmall = /node_modules|\/src\/(ui|lib|data)\/|\/(contract|client)\/src\//

/** Where the routes name their pages. */
const namesPages = /\/src\/app\/(screens|routes\/[\w-]+)\.ts$/
/** What is loaded once the first page is on screen and the browser idle. */
const loadedOnceIdle =
  /\/src\/(app\/(overlays|shortcuts|favicon\/favicon|pages\/error-page|switcher\/service-switcher|shell\/(user-menu|commands-button|command-palette|shortcut-sheet|version-details|live-details))\.tsx|data\/live-socket\.ts|lib\/logger\.ts|ui\/(menu|dialog)-panel\.tsx|features\/(error-log\/reporting\/reporter\.ts|live-status\/status-dialog\.tsx|annotations\/(annotations|overlay)\.tsx|notifications\/(notification-centre|panel)\.tsx|theming\/cached-theme\.ts))$/

/** Not worth a chunk of their own. */
const smallLibraries =
  /node_modules\/(@radix-ui|radix-ui|@floating-ui|lucide-react|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden|get-nonce|detect-node-es|tslib)\//

/**
 * Finds out who needs each module, so that a first page takes two or three chunks beside its own and little that it does
 * not use, and the first idle moment of the console one. It answers the name of a module's chunk, and null where the
 * module keeps to its page. What is there from the start, or brings a library of its own, is left to the other groups.
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
      const imports = namedImports(
        (id) => modules.get(id) ?? null,
        (code) => this.parse(code),
      )
      const initial = reached(
        ids.filter((id) => edges(id).isEntry),
        imports,
      )
      const idle = reached(
        ids.filter((id) => loadedOnceIdle.test(id)),
        imports,
      )
      const pages = ids.filter((id) => namesPages.test(id)).flatMap((id) => edges(id).dynamicallyImportedIds)
      const landing = [...new Set(landingPages.map(({ page }) => page))].map((page) => {
        const roots = pages.filter((id) => id.endsWith(`/src/${page}`))
        return { page, modules: reached(roots, imports) }
      })
      const landingOf = (id: string) => landing.filter((each) => each.modules.has(id)).map(({ page }) => page)
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
        else {
          const needs = landingOf(id)
          if (needs.length === 0 && (!isOwn(id) || bringsLibrary(id))) continue
          const chunk = sharedChunk(id, needs, count, idle.has(id))
          if (chunk) chunks.set(id, chunk)
        }
      }
    },
  }
  return { plugin, chunkOf: (id) => chunks.get(id) ?? null }
}

const dashboard = 'features/dashboard/dashboard-page.tsx'
const cluster = 'features/clusters/cluster-detail-page.tsx'

/**
 * The chunk of a module that the `landing` pages need, of `count` pages that do: what the dashboard shares with lists,
 * what it shares with a cluster only, what lists share, what a cluster shares with its objects, and what is for others.
 * A first page then loads two or three of them and little that it does not need.
 */
function sharedChunk(id: string, landing: readonly string[], count: number, isIdle: boolean): string | null {
  const isCrumb = isSmall.test(id)
  if (landing.length === 0) return count >= 3 || isIdle || (count === 2 && isCrumb) ? 'common' : null
  if (landing.every((page) => page === dashboard || page === cluster)) {
    if (landing.length === 2) return 'overview'
    if (landing[0] === cluster) return id.endsWith(`/src/${cluster}`) ? null : 'cluster'
    return count > 1 ? 'overview' : null
  }
  if (landing.includes(dashboard)) return 'start'
  return count > 1 || isCrumb ? 'lists' : null
}

type Edges = {
  code: string | null
  importedIds: string[]
  dynamicallyImportedIds: string[]
  isEntry: boolean
}

function edgesOf(info: Edges | null): Edges {
  if (!info) return { code: null, importedIds: [], dynamicallyImportedIds: [], isEntry: false }
  const { code, importedIds, dynamicallyImportedIds, isEntry } = info
  return { code, importedIds, dynamicallyImportedIds, isEntry }
}

/** Everything that can be reached from the roots, these included. */
function reached(roots: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set(roots)
  // A set that grows while it is walked is walked to its end.
  for (const id of found) for (const each of next(id)) found.add(each)
  return found
}
