import type { Cluster, ObjectDetail } from '@bey/contract'
import type { ReactNode } from 'react'
import { ObjectEvents } from './object-events.tsx'
import { ObjectOverview } from './object-overview.tsx'

/** What a part of an object's page is given. */
export interface ObjectSubject {
  cluster: Cluster
  detail: ObjectDetail
}

/** A part of the page of an object. */
export interface ObjectTab {
  id: string
  label: string
  /** Which objects have it; left out: all. */
  isFor?: (detail: ObjectDetail) => boolean
  content: (subject: ObjectSubject) => ReactNode
}

/** The parts of an object's page, in their order. */
export const objectTabs: readonly ObjectTab[] = [
  { id: 'overview', label: 'Overview', content: (subject) => <ObjectOverview {...subject} /> },
  { id: 'events', label: 'Events', content: (subject) => <ObjectEvents {...subject} /> },
]
