import { useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'

/** Says how high its content is, whenever that changes; pixels. */
export function Measured({
  onHeight,
  children,
}: {
  onHeight: (height: number) => void
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => onHeight(element.offsetHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [onHeight])
  return (
    <div ref={box} className="flow-root bg-active">
      {children}
    </div>
  )
}
