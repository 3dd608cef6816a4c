import { clusterCurves, metricQuery } from '@bey/contract'
import type { Plugin, Rolldown } from 'vite'

interface LandingPage {
  /** Of the address; `*` is a number. */
  path: string
  /** The module of the page. */
  page: string
  /** What the page asks first, where its address has no search. */
  requests: string[]
}

const cluster = '/api/kubernetes/clusters/*'
const clusterPage = 'features/clusters/cluster-detail-page.tsx'

const use = Object.entries(metricQuery(clusterCurves(0))).map(([name, value]) =>
  name === 'ids' ? 'ids=*' : `${name}=${encodeURIComponent(value)}`,
)

/** Pages that people open by their address or load anew, with what `theme-boot.js` asks for while the code loads. */
export const landingPages: LandingPage[] = [
  { path: '/', page: 'features/dashboard/dashboard-page.tsx', requests: ['/api/analytics/overview'] },
  {
    path: '/kubernetes/clusters',
    page: 'features/clusters/cluster-list-page.tsx',
    requests: ['/api/kubernetes/clusters?sort=health&order=asc'],
  },
  {
    path: '/kubernetes/clusters/*',
    page: clusterPage,
    requests: [
      cluster,
      `${cluster}/overview`,
      `${cluster}/namespaces?limit=200`,
      `/api/metrics/cluster?${use.join('&')}`,
    ],
  },
  {
    path: '/kubernetes/clusters/*/pods',
    page: clusterPage,
    requests: [cluster, `${cluster}/pods?sort=health`, `${cluster}/namespaces?limit=200`],
  },
  {
    path: '/workflows',
    page: 'features/workflows/workflow-list-page.tsx',
    requests: ['/api/v1/workflows'],
  },
  {
    path: '/workflows/runs',
    page: 'features/workflows/runs/run-list-page.tsx',
    requests: ['/api/v1/workflows/runs', '/api/v1/workflows/runs/counts'],
  },
  { path: '/secrets', page: 'features/secrets/secret-list-page.tsx', requests: ['/api/secrets'] },
  { path: '/workspaces/members', page: 'features/members/member-list-page.tsx', requests: ['/api/members'] },
]

/** Tells the document, in a `meta` that `theme-boot.js` reads, which chunks and replies each landing page needs. */
export function landingPlan(): Plugin {
  return {
    name: 'bey-landing-plan',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, chunk: entry }) {
        const chunks = Object.values(bundle ?? {}).filter((each) => each.type === 'chunk')
        const named = new Map(chunks.map((each) => [each.fileName, each]))
        const isThere = entry ? withImports(entry, named) : new Set<string>()
        const pages = landingPages.map(({ path, page, requests }) => {
          const own = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${page}`))
          if (!own) throw new Error(`The page ${page} has no chunk of its own.`)
          return { path, requests, chunks: [...withImports(own, named)].filter((name) => !isThere.has(name)) }
        })
        const attrs = { name: 'bey-landing', content: JSON.stringify(pages) }
        return [{ tag: 'meta', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

/** A chunk's file and those that it imports, as far as they go. */
function withImports(
  chunk: Rolldown.OutputChunk,
  named: ReadonlyMap<string, Rolldown.OutputChunk>,
): Set<string> {
  const found = new Set([chunk.fileName])
  // A set that grows while it is walked is walked to its end.
  for (const name of found) for (const each of named.get(name)?.imports ?? []) found.add(each)
  return found
}
