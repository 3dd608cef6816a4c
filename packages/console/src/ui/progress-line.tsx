import { useDelayed } from './skeleton.tsx'

/** Two pixels at the top of a box with `relative`, while old data stays and new data is on its way. */
export function ProgressLine({ active }: { active: boolean }) {
  const isShown = useDelayed(active)
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0 z-20 h-0.5 overflow-hidden">
      {isShown ? <div className="h-full w-1/4 animate-progress bg-accent" /> : null}
    </div>
  )
}
