import { useCallback, useState } from 'react'

/** Which folds of done steps somebody opened, and how one is opened or closed. */
export function useFolds(): { opened: ReadonlySet<string>; toggle: (id: string) => void } {
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set())
  const toggle = useCallback(
    (id: string) =>
      setOpened((known) => {
        const next = new Set(known)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  return { opened, toggle }
}
