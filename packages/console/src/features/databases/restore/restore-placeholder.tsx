import { PageHeader } from '../../../ui/page-header.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'

/** The shape of the page while it is being read. */
export function RestorePlaceholder({ title }: { title: string | undefined }) {
  return (
    <>
      <PageHeader title={title} description=" " />
      <DelayedSkeleton>
        <span className="grid gap-x-8 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <span className="flex flex-col gap-6">
            <Skeleton className="h-44 w-full" />
            <Skeleton className="h-28 w-full" />
            <Skeleton className="h-28 w-full" />
          </span>
          <Skeleton className="h-64 w-full" />
        </span>
      </DelayedSkeleton>
    </>
  )
}
