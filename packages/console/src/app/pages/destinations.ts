import type { Service, ServiceRoute } from '@bey/contract'

/** Routes of launched services whose own or whose service's label contains the filter; each service once. */
export function destinations(
  services: readonly Service[],
  filter: string,
): { service: Service; routes: readonly ServiceRoute[] }[] {
  const needle = filter.trim().toLowerCase()
  const once = [
    ...new Map(services.filter((each) => each.isLaunched).map((each) => [each.value, each])).values(),
  ]
  return once
    .map((service) => {
      const all = service.routes ?? []
      const isWhole = service.label.toLowerCase().includes(needle)
      return {
        service,
        routes: isWhole ? all : all.filter((route) => route.label.toLowerCase().includes(needle)),
      }
    })
    .filter(({ routes }) => routes.length > 0)
}
