import { DelayedSkeleton, Skeleton } from './skeleton.tsx'

export function PreviewSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="flex flex-col gap-4 pt-1">
        {['w-1/4', 'w-full', 'w-full', 'w-full'].map((width, index) => (
          <Skeleton key={index} className={width} />
        ))}
      </span>
    </DelayedSkeleton>
  )
}
