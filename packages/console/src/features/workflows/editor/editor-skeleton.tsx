import type { ReactNode } from 'react'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton, useDelayed } from '../../../ui/skeleton.tsx'
import { PaneHead } from './pane-head.tsx'

/** The editor while its workflow is being read: the panes as they will stand. */
export function EditorSkeleton({ title }: { title: string | undefined }) {
  const isDue = useDelayed(true)
  const bars = (widths: readonly string[]) =>
    isDue ? widths.map((width) => <Skeleton key={width} className={width} />) : null
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader title={title} description=" " reserves={{ aside: true, actions: true }} />
      {/* Where graph and text share their room, one chooses between them. */}
      <div className="h-[45px] shrink-0 border-b border-line min-[1360px]:hidden" />
      <output aria-label="Loading..." className="flex min-h-0 flex-1 max-md:flex-none max-md:flex-col">
        <Pane title="Graph" className="flex-1 max-md:h-96 max-md:flex-none">
          <span className="min-h-0 flex-1 bg-sunken" />
        </Pane>
        <Pane title="YAML" className="flex-1 border-l border-line max-[1359px]:hidden">
          <span className="flex flex-col gap-3 p-4">{bars(['w-40', 'w-64', 'w-52', 'w-72'])}</span>
        </Pane>
        <Pane title="Workflow" className="w-full shrink-0 border-line max-md:border-t md:w-96 md:border-l">
          <span className="flex flex-col gap-5 p-4">{bars(['w-24', 'w-full', 'w-32', 'w-11/12'])}</span>
        </Pane>
      </output>
    </div>
  )
}

function Pane({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  return (
    <span className={`flex min-h-0 min-w-0 flex-col ${className}`}>
      <PaneHead title={title} detail="" actions={null} />
      {children}
    </span>
  )
}
