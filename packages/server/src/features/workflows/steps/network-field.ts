import { z } from 'zod'

/** A network as a config names it. */
export const networkField = z.string().min(1).max(200).meta({
  title: 'Network',
  description: 'Name or id of a network of this organization.',
  'x-widget': 'network',
})
