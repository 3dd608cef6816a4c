/**
 * The page to show after the organization was switched: the same one where it exists in every organization, else the
 * list or section that it belongs to. `pattern` is the path of the route with its parameters: `/workflows/$workflowId`.
 * Filters go, for they name things of the organization before.
 */
export function keptPage(pattern: string): string {
  const segments = pattern.split('/').filter((segment) => segment !== '')
  const firstParameter = segments.findIndex((segment) => segment.startsWith('$'))
  const kept = firstParameter === -1 ? segments : segments.slice(0, firstParameter)
  return `/${kept.join('/')}`
}
