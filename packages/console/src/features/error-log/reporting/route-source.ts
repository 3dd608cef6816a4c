/** What reports read of the router. The first error may come before there is one. */
export interface RouteSource {
  /** The pattern of the page shown: `/workflows/$id`. */
  shownRoute: () => string | undefined
  /** Calls back with the path of each page that is opened. */
  onOpened: (listener: (path: string) => void) => unknown
}

let source: RouteSource | undefined

export function reportRoutesOf(routes: RouteSource): void {
  source = routes
}

export function routeSource(): RouteSource | undefined {
  return source
}
