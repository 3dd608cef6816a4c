import { useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { retryImport } from './retry-import.ts'

/**
 * A part whose code comes later, and its loader. Once the code is there the part is drawn at once, in the same render;
 * until then it is nothing. `lazyPart` shows a fallback meanwhile instead.
 */
export function laterPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
): readonly [part: (props: Props) => ReactNode, load: () => Promise<void>] {
  let loaded: ComponentType<Props> | undefined
  const load = async () => {
    loaded ??= await retryImport(importPart)
  }
  function LaterPart(props: Props) {
    const [isLoaded, setLoaded] = useState(loaded !== undefined)
    useEffect(() => {
      if (!isLoaded) void load().then(() => setLoaded(true))
    }, [isLoaded])
    const Part = loaded
    return isLoaded && Part ? <Part {...props} /> : null
  }
  return [LaterPart, load]
}
