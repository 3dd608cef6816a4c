/** Services that are shown beside the clusters, in this order. */
export const serviceNames = ['workflows', 'databases', 'networks', 'ingress', 'secrets', 'alerts'] as const
export type ServiceName = (typeof serviceNames)[number]

/** The times that the rows of all services show, in hours. */
export const serviceHours = [24, 168] as const

/** Steps into which such a time is divided, in seconds. */
export const serviceStepSeconds: Readonly<Record<(typeof serviceHours)[number], number>> = {
  24: 900,
  168: 7_200,
}
/** Steps of a day, and fewer of a week. */
export const maxServiceSteps = 96

/** How a service was in one step, worst moment first: `none` where nothing was measured. */
export const serviceCells = ['none', 'ok', 'warn', 'failing'] as const
export type ServiceCell = (typeof serviceCells)[number]
