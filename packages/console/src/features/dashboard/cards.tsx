import type { Dashboard, DashboardCard } from '@bey/contract'
import type { ReactNode } from 'react'
import { AttentionList } from '../../entities/health/attention-list.tsx'
import { Activity } from './activity.tsx'
import { AllServices } from './all-services.tsx'
import { CapacityCard } from './capacity-card.tsx'
import { ClusterRows } from './cluster-rows.tsx'
import { EndingCard } from './ending-card.tsx'
import { SinceYouLeft } from './since-you-left.tsx'
import { SpendCard } from './spend-card.tsx'
import { UseChart } from './use-chart.tsx'

/** What cards are drawn from; undefined figures: on their way. */
export interface CardView {
  figures: Dashboard | undefined
  hasTrouble: boolean
  /** Whether something happened since the reader was last here. */
  hasHappened: boolean
  /** Whether the reader may see all spend. */
  readsSpend: boolean
}

/** One kind of card: how it is called, when it has something to show, and what it shows. */
interface CardKind {
  title: string
  /** Without it, always. */
  isShown?: (view: CardView) => boolean
  draw: (view: CardView) => ReactNode
}

/** Every card of the dashboard. A new one is a row here, and its name in `dashboardCards` of the contract. */
export const cardKinds: Readonly<Record<DashboardCard, CardKind>> = {
  attention: {
    title: 'Needs attention',
    isShown: ({ hasTrouble }) => hasTrouble,
    draw: ({ figures }) => (figures ? <AttentionList attention={figures.attention} /> : null),
  },
  since: {
    title: 'Since you left',
    isShown: ({ hasHappened }) => hasHappened,
    draw: ({ figures }) => <SinceYouLeft hasFigures={figures !== undefined} />,
  },
  services: {
    title: 'All services',
    draw: ({ figures }) => <AllServices hasFigures={figures !== undefined} />,
  },
  capacity: { title: 'Capacity', draw: ({ figures }) => <CapacityCard figures={figures} /> },
  ending: { title: 'Ends soon', draw: ({ figures }) => <EndingCard hasFigures={figures !== undefined} /> },
  use: {
    title: 'Use of allocatable',
    draw: ({ figures }) => (
      <UseChart figures={figures} hasTrouble={figures === undefined || figures.attention.items.length > 0} />
    ),
  },
  activity: { title: 'Activity', draw: ({ figures }) => <Activity hasFigures={figures !== undefined} /> },
  spend: {
    title: 'Spend',
    isShown: ({ readsSpend }) => readsSpend,
    draw: ({ figures }) => <SpendCard hasFigures={figures !== undefined} />,
  },
  clusters: { title: 'Running clusters', draw: ({ figures }) => <ClusterRows figures={figures} /> },
}
