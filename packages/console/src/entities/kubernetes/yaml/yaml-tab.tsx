import type { Cluster, ObjectDetail } from '@bey/contract'
import { Suspense } from 'react'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'

const ObjectEditor = lazyPart(async () => ({
  default: (await import('./object-editor.tsx')).ObjectEditor,
}))

/** An object as YAML, to read and to change. The editor comes in a chunk of its own. */
export function YamlTab({ cluster, detail }: { cluster: Cluster; detail: ObjectDetail }) {
  return (
    <Suspense fallback={<EditorSkeleton />}>
      <ObjectEditor cluster={cluster} detail={detail} />
    </Suspense>
  )
}

export function EditorSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="grid gap-4 px-(--gutter) py-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="h-[60dvh]" />
        <Skeleton className="h-48" />
      </span>
    </DelayedSkeleton>
  )
}
