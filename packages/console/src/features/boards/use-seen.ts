import { useCallback, useState } from 'react'

/** Whether an element has been on screen, or within a screen of it. Once seen, it stays seen. */
export function useSeen(): [(element: Element | null) => (() => void) | undefined, boolean] {
  const [isSeen, setSeen] = useState(false)
  const watch = useCallback((element: Element | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setSeen(true)
        observer.disconnect()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [watch, isSeen]
}
