import { z } from 'zod'
import { cardWidths, dashboardCards } from './dashboard-cards.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp } from '../base/schema.ts'

const card = z.strictObject({ card: z.enum(dashboardCards), width: z.literal([...cardWidths]) })

/** In the order in which they are read. */
const cards = z
  .array(card)
  .min(1, 'Keep at least one card.')
  .max(dashboardCards.length)
  .refine(
    (all) => new Set(all.map((each) => each.card)).size === all.length,
    'A card can be there only once.',
  )

/** How the caller's dashboard is arranged, and whose arrangement it is. */
export const dashboardLayout = z
  .object({
    cards: z.array(card).max(dashboardCards.length),
    source: z.enum(['own', 'organization', 'default']),
    /** The arrangement that everybody without one of their own sees; null where nobody shared one. */
    shared: z.object({ by: z.string().nullable(), at: timestamp }).nullable(),
  })
  .meta({ id: 'DashboardLayout' })
export type DashboardLayout = z.infer<typeof dashboardLayout>

const path = '/api/analytics/layout'

export const layoutEndpoints = {
  'analytics.layout': endpoint({
    method: 'GET',
    path,
    summary: 'How the dashboard of the caller is arranged',
    access: 'analytics.read',
    response: dashboardLayout,
  }),
  'analytics.setLayout': endpoint({
    method: 'PUT',
    path,
    summary: 'Arrange the dashboard of the caller alone',
    access: 'analytics.read',
    // An arrangement is that of a person.
    keys: 'none',
    body: z.strictObject({ cards }),
    response: dashboardLayout,
    replyOf: 'analytics.layout',
    outdates: [],
  }),
  'analytics.resetLayout': endpoint({
    method: 'DELETE',
    path,
    summary: 'Show the caller the arrangement of the organization again',
    access: 'analytics.read',
    keys: 'none',
    response: dashboardLayout,
    replyOf: 'analytics.layout',
    outdates: [],
  }),
  'analytics.shareLayout': endpoint({
    method: 'PUT',
    path: `${path}/shared`,
    summary: 'Arrange the dashboard of everybody without an arrangement of their own',
    access: 'boards.update',
    body: z.strictObject({ cards }),
    response: dashboardLayout,
    replyOf: 'analytics.layout',
    outdates: [],
  }),
  'analytics.unshareLayout': endpoint({
    method: 'DELETE',
    path: `${path}/shared`,
    summary: 'Go back to the arrangement that Bey comes with',
    access: 'boards.update',
    response: dashboardLayout,
    replyOf: 'analytics.layout',
    outdates: [],
  }),
} as const
